#include "tools/cli/commands/advise_command.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <filesystem>
#include <mutex>
#include <utility>

#include "models/questions/advise/advice.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/options/common_options.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/run_scenario_input.hpp"
#include "tools/cli/scenario_input.hpp"
#include "tools/cli/text/advice_text.hpp"
#include "tools/cli/text/progress.hpp"
#include "tools/machine/machine_memory.hpp"
#include "topology/input/load_source.hpp"

namespace vgsim::cli {
namespace {

constexpr const char* kAdviseFooter = R"(
Examples:
  vgsim advise configs/scenarios/advice/resnet-50-under-five-minutes.json
  vgsim advise request.json --set /job/batch_per_gpu=64)";

using input::Diagnostics;

/// The scenario of a request: a file that it names, or an inline one.
tl::expected<ScenarioInput, Diagnostics> scenario_of(const scenario::AdviceRequest& request,
                                                     const AdviseOptions& options) {
  if (request.space.scenario.is_string()) {
    const auto folder = std::filesystem::path(options.request).parent_path();
    return read_scenario_input((folder / request.space.scenario.string()).string(), options.set);
  }
  return as_scenario_input(options.request, request.space.scenario, options.set);
}

}  // namespace

CLI::App* add_advise_command(CLI::App& app, AdviseOptions& options) {
  CLI::App* command = app.add_subcommand(
      "advise", "search for machines and settings that reach a goal, and show the best ones");
  command
      ->add_option("request", options.request,
                   "the job, the goal and what may vary (JSON, vgsim schema advice)")
      ->required()
      ->type_name("REQUEST.json");
  add_format_option(*command, options.format);
  add_full_option(*command, options.full);
  add_out_option(*command, options.out);
  add_set_option(*command, options.set);
  add_quiet_option(*command, options.quiet);
  command->footer(kAdviseFooter);
  return command;
}

int advise_command(const AdviseOptions& options) {
  const auto library = load_library(config_dir());
  if (!library) return report_errors(library.error());
  const auto file = input::load_input(options.request);
  if (!file) return report_errors(file.error());
  const auto document = scenario::Document::parse(*file);
  if (!document) return report_errors(document.error());
  const auto read = scenario::read_advice_request(*document);
  if (!read) return report_errors(read.error());
  const auto input = scenario_of(*read, options);
  if (!input) return report_errors(input.error());
  Diagnostics diagnostics;
  const auto request = scenario::with_hosts(*read, input->document, diagnostics);
  if (diagnostics.has_errors()) return report_errors(diagnostics);
  const auto base = scenario::base_of(request.space, input->document);
  if (!base) return report_errors(base.error());

  scenario::RunSettings settings;
  settings.memory_limit = machine::machine_memory();
  settings.next_limit = false;
  settings.note_inputs = false;
  settings.epoch_end = false;
  ProgressLine line;
  std::mutex mutex;
  const auto progress = [&](std::uint64_t done) {
    if (options.quiet) return;
    const std::lock_guard lock(mutex);
    line.show([&](double seconds) {
      return fmt::format("{:.0f} s: {} of at most {} combinations", seconds, done,
                         std::min(request.space.points, request.most_runs));
    });
  };
  const auto advice = scenario::search(request, *base, *library, input->load, settings,
                                       scenario::kUsualDraws, progress);
  const text::TerminalSize terminal = text::terminal_size(options.out);
  write_result(options.format == Format::kJson ? advice_json(request, advice)
               : options.full                  ? advice_in_full(request, advice, terminal)
                                               : advice_screen(request, advice, terminal),
               options.out);
  return advice.best.empty() ? kExpectationFailed : kDone;
}

}  // namespace vgsim::cli
