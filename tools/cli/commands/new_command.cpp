#include "tools/cli/commands/new_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "models/scenario/answer/run_scenario.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/new/plan.hpp"
#include "tools/cli/new/questions.hpp"
#include "tools/cli/new/scenario_text.hpp"
#include "tools/cli/options/common_options.hpp"
#include "tools/cli/output.hpp"
#include "tools/text/table.hpp"

namespace vgsim::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNewFooter = R"(
Examples:
  vgsim new -o first.json
  vgsim new --server dell-xe9680 --hosts 4 --network llama-3-8b --parallel fsdp
  vgsim new --server dell-r750xa --gpus "4x a100" --layout all -o second.json)";

/// Relative to the file that names it, where there is one.
std::string schema_of(const NewOptions& options) {
  const fs::path schema = fs::path(config_dir()) / "schema" / "scenario.schema.json";
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(schema, error);
  if (!options.out) return whole.string();
  return whole.lexically_proximate(fs::weakly_canonical(*options.out, error).parent_path());
}

/// The command line that the wishes stand for.
std::string command_of(const NewWishes& wishes) {
  std::string line = "vgsim new";
  const auto add = [&](const char* option, const std::string& value) {
    const bool plain = value.find_first_of(" \"'\\$`;&|<>()*?#~") == std::string::npos;
    const char* quote = plain ? "" : "'";
    line += fmt::format(" {} {}{}{}", option, quote, value, quote);
  };
  const auto add_if = [&](const char* option, const std::optional<std::string>& value) {
    if (value) add(option, *value);
  };
  add_if("--server", wishes.server);
  add_if("--hosts", wishes.hosts);
  add_if("--gpus", wishes.gpus);
  add_if("--nic", wishes.nic);
  add_if("--nics", wishes.nics);
  for (const std::string& layout : wishes.layouts) add("--layout", layout);
  add_if("--profile", wishes.profile);
  add_if("--network", wishes.network);
  add_if("--parallel", wishes.parallel);
  add_if("--batch", wishes.batch);
  add_if("--vsphere", wishes.vsphere);
  add_if("--name", wishes.name);
  return line;
}

/// Why a scenario would not run; empty if it would.
std::string problems_of(const std::string& text, const scenario::Library& library) {
  const auto document = scenario::Document::parse(input::make_source("the new scenario", text));
  const auto checked = scenario::validate_scenario(*document, library, loader_beside("."));
  if (!checked) return input::render(checked.error());
  std::string problems;
  for (const auto& layout : checked->layouts) {
    if (!layout.refused) continue;
    for (const auto& warning : layout.warnings) {
      if (warning.verdict != vsphere::Verdict::kRefused) continue;
      problems += text::wrap(fmt::format("  [{}] {} [{}]", layout.name, warning.text, warning.rule),
                             4, 80) +
                  "\n";
    }
  }
  return problems;
}

int refuse(const std::string& problems) {
  write_message(
      fmt::format("vgsim: what was asked for does not run, and nothing was written\n{}", problems));
  return kBadInput;
}

void add_wish(CLI::App& command, const char* option, std::optional<std::string>& wish,
              const char* about, const char* type) {
  command.add_option(option, wish, about)->type_name(type);
}

}  // namespace

CLI::App* add_new_command(CLI::App& app, NewOptions& options) {
  NewWishes& wishes = options.wishes;
  CLI::App* command = app.add_subcommand(
      "new", "write a commented scenario that runs; asks for what is not said on a terminal");
  add_wish(*command, "--server", wishes.server, "server of the catalogue", "SERVER");
  add_wish(*command, "--hosts", wishes.hosts, "how many of it (default 1)", "N");
  add_wish(*command, "--gpus", wishes.gpus,
           "of each host, such as 4 or \"4x h100\" (default: the server's, in all slots)", "GPUS");
  add_wish(*command, "--nic", wishes.nic,
           "network adapter (default: the fastest that fits, where there are several hosts)",
           "NIC");
  add_wish(*command, "--nics", wishes.nics,
           "how many in each host (default: one, or one for each GPU behind NVSwitches)", "N");
  command
      ->add_option("--layout", wishes.layouts,
                   "passthrough, vgpu, mig, both (passthrough and vgpu) or all; may be repeated")
      ->type_name("LAYOUT")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_wish(*command, "--profile", wishes.profile,
           "of the vGPUs, such as 3g.40gb (default: a whole GPU's)", "PROFILE");
  add_wish(*command, "--network", wishes.network, "network to train (default bert-large)",
           "NETWORK");
  add_wish(*command, "--parallel", wishes.parallel,
           "fsdp, ddp, zero1, zero2, or sizes such as tensor=4,pipeline=2 (default: what fits)",
           "HOW");
  add_wish(*command, "--batch", wishes.batch,
           "samples of a GPU in an iteration (default: what fits)", "N");
  add_wish(*command, "--vsphere", wishes.vsphere, "version (default 8.0U3)", "VERSION");
  add_wish(*command, "--name", wishes.name, "what it is called in results", "NAME");
  command->add_flag("--force", options.force, "write over a file that is there");
  add_out_option(*command, options.out);
  command->footer(kNewFooter);
  return command;
}

int new_command(NewOptions& options) {
  std::error_code error;
  if (options.out && !options.force && fs::is_regular_file(*options.out, error)) {
    write_message(
        fmt::format("vgsim: {} is there already: --force writes over it\n", *options.out));
    return kBadInput;
  }
  const auto library = load_library(config_dir());
  if (!library) return report_errors(library.error());
  if (::isatty(STDIN_FILENO) != 0) {
    ask_for_wishes(std::cin, std::cerr, *library, options.wishes);
  }
  auto plan = plan_of(options.wishes, *library);
  if (!plan) return report_errors(plan.error());
  const std::string schema = schema_of(options);
  const std::string made_by = command_of(options.wishes);
  std::string last;
  for (std::optional<NewPlan> next = *plan; next; next = smaller_plan(*next, options.wishes)) {
    const std::string text = new_scenario_text(*next, schema, made_by);
    const std::string problems = problems_of(text, *library);
    if (problems.empty()) {
      write_result(text, options.out);
      if (options.out) {
        write_message(fmt::format("written to {0}; next: vgsim run {0}\n", *options.out));
      }
      return kDone;
    }
    last = problems;
  }
  return refuse(last);
}

}  // namespace vgsim::cli
