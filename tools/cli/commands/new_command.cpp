#include "tools/cli/commands/new_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>

#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/new/fitting_scenario.hpp"
#include "tools/cli/new/plan.hpp"
#include "tools/cli/new/questions.hpp"
#include "tools/cli/options/common_options.hpp"
#include "tools/cli/output.hpp"

namespace vgsim::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNewFooter = R"(
Examples:
  vgsim new -o first.json
  vgsim new --server dell-xe9680 --hosts 4 --network llama-3-8b --parallel fsdp
  vgsim new --server dell-r750xa --gpus "4x a100" --layout all -o second.json)";

/// Relative to the output file, if there is one.
std::string schema_of(const NewOptions& options) {
  const fs::path schema = fs::path(config_dir()) / "schema" / "scenario.schema.json";
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(schema, error);
  if (!options.out) return whole.string();
  return whole.lexically_proximate(fs::weakly_canonical(*options.out, error).parent_path());
}

int refuse(const std::string& problems) {
  write_message(
      fmt::format("vgsim: what was asked for does not run, and nothing was written\n{}", problems));
  return kBadInput;
}

void add_request_option(CLI::App& command, const char* option, std::optional<std::string>& value,
                        const char* about, const char* type) {
  command.add_option(option, value, about)->type_name(type);
}

}  // namespace

CLI::App* add_new_command(CLI::App& app, NewOptions& options) {
  ScenarioRequest& request = options.request;
  CLI::App* command = app.add_subcommand(
      "new", "write a commented scenario that runs; on a terminal, ask for missing options");
  add_request_option(*command, "--server", request.server, "server of the catalogue", "SERVER");
  add_request_option(*command, "--hosts", request.hosts, "number of such hosts (default 1)", "N");
  add_request_option(*command, "--gpus", request.gpus,
                     "of each host, such as 4 or \"4x h100\" (default: the server's, in all slots)",
                     "GPUS");
  add_request_option(*command, "--nic", request.nic,
                     "network adapter (default for several hosts: the fastest that fits)", "NIC");
  add_request_option(*command, "--nics", request.nics,
                     "number in each host (default: one, or one for each GPU with NVSwitches)",
                     "N");
  command
      ->add_option("--layout", request.layouts,
                   "passthrough, vgpu, mig, both (passthrough and vgpu) or all; may be repeated")
      ->type_name("LAYOUT")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_request_option(*command, "--profile", request.profile,
                     "of the vGPUs, such as 3g.40gb (default: a whole GPU's)", "PROFILE");
  add_request_option(*command, "--network", request.network,
                     "network to train (default bert-large)", "NETWORK");
  add_request_option(
      *command, "--parallel", request.parallel,
      "fsdp, ddp, zero1, zero2, or sizes such as tensor=4,pipeline=2 (default: what fits)", "HOW");
  add_request_option(*command, "--batch", request.batch,
                     "samples of a GPU in an iteration (default: what fits)", "N");
  add_request_option(*command, "--vsphere", request.vsphere, "version (default 8.0U3)", "VERSION");
  add_request_option(*command, "--name", request.name, "name in results", "NAME");
  command->add_flag("--force", options.force, "overwrite an existing file");
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
    ask_for_missing(std::cin, std::cerr, *library, options.request);
  }
  auto plan = plan_of(options.request, *library);
  if (!plan) return report_errors(plan.error());
  const auto text = fitting_scenario(*plan, options.request, *library, schema_of(options));
  if (!text) return refuse(text.error());
  write_result(*text, options.out);
  if (options.out) {
    write_message(fmt::format("written to {0}; next: vgsim run {0}\n", *options.out));
  }
  return kDone;
}

}  // namespace vgsim::cli
