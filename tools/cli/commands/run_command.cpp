#include "tools/cli/commands/run_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "models/questions/explain/best_changes.hpp"
#include "models/questions/studies/deciding.hpp"
#include "models/questions/studies/one_run.hpp"
#include "models/scenario/answer/ranked_layouts.hpp"
#include "models/scenario/answer/result_json.hpp"
#include "models/scenario/answer/run_scenario.hpp"
#include "tools/cli/commands/scenario_answer.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/layouts_apart.hpp"
#include "tools/cli/options/common_options.hpp"
#include "tools/cli/options/without_effect.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/run_scenario_input.hpp"
#include "tools/cli/scenario_input.hpp"
#include "tools/cli/screen/run_screen.hpp"
#include "tools/cli/text/progress.hpp"
#include "tools/machine/machine_memory.hpp"
#include "tools/tables/result_table.hpp"
#include "tools/text/words.hpp"
#include "tools/trace/perfetto_trace.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::cli {
namespace {

constexpr const char* kRunFooter = R"(
Examples:
  vgsim run configs/scenarios/bert-large-4xr750xa.json
  vgsim run mine.json --layout vgpu --set /job/batch_per_gpu=64
  vgsim new --server dell-xe9680 --hosts 2 | vgsim run -)";

/// Counts beyond this are typing errors.
constexpr std::uint64_t kMost = 1'000'000'000'000'000;

/// Options for fidelity, seeds, limits and shortcuts.
void add_run_options(CLI::App& command, RunOptions& options) {
  scenario::RunSettings& settings = options.settings;
  command
      .add_option_function<std::string>(
          "--fidelity",
          [&settings](const std::string& word) {
            settings.fidelity =
                word == "chunk" ? collectives::Fidelity::kChunk : collectives::Fidelity::kFluid;
          },
          "fluid: a collective is one activity per channel; chunk: every step is simulated")
      ->check(CLI::IsMember({"fluid", "chunk"}))
      ->type_name("FIDELITY");
  command
      .add_option("--seed", settings.seed, "seed of the random draws, instead of the scenario's")
      ->check(CLI::Range(std::uint64_t{0}, kMost))
      ->type_name("N");
  command
      .add_option("--seeds", settings.seeds,
                  "run N seeds in a row; show the median and 90 % interval")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{100'000}))
      ->type_name("N");
  add_draws_option(command, options.draws);
  add_output_option(command, "--trace", options.trace,
                    "write what happens in the steady iteration to this file, for "
                    "ui.perfetto.dev (compressed where it ends in .gz)");
  add_time_limit_option(command, options.time_limit,
                        "stop after this wall-clock time, e.g. \"30 s\"");
  command
      .add_option_function<std::string>(
          "--memory-limit",
          [&settings](const std::string& text) {
            settings.memory_limit = static_cast<std::uint64_t>(input::parse_bytes(text)->count());
          },
          "refuse a run that is estimated to need more memory, and stop one that does, e.g. \"4 "
          "GiB\"")
      ->check(bytes_validator())
      ->type_name("BYTES");
  command
      .add_option("--max-events", settings.limits.max_events,
                  "stop a simulation after this number of events")
      ->check(CLI::Range(std::uint64_t{1}, kMost))
      ->type_name("N");
  command.add_flag(
      "--no-symmetry", [&settings](std::int64_t) { settings.use_symmetry = false; },
      "simulate every rank and link instead of one of each class (same result, slower)");
  command.add_flag(
      "--no-period", [&settings](std::int64_t) { settings.find_repeat = false; },
      "simulate every iteration, also repeated ones (same result, slower)");
}

scenario::RunSettings with_memory_limit(scenario::RunSettings settings) {
  if (!settings.memory_limit) settings.memory_limit = machine::machine_memory();
  return settings;
}

/// Reports options without effect on the scenario. Errors of the scenario are reported when it
/// runs.
int check_options(const RunOptions& options, const ScenarioInput& input,
                  const scenario::Library& library, const scenario::RunSettings& settings) {
  if (!may_be_without_effect(options)) return kDone;
  const auto prepared = scenario::prepare_scenario(input.document, library, input.load, settings);
  return prepared ? report_options(options_without_effect(options, *prepared), "run") : kDone;
}

std::string progress_text(const Progress& progress, double seconds) {
  return fmt::format("{:.0f} s: iteration {} of {}, {:.1f} million events, simulated time {}",
                     seconds, progress.iterations_done + 1, progress.iterations,
                     static_cast<double>(progress.events) / 1e6, input::format_time(progress.now));
}

/// The command that looks for improvements of a layout.
std::string explain_command_line(const RunOptions& options, const std::string& layout) {
  std::string line = "vgsim explain " + text::shell_word(options.scenario);
  for (const std::string& set : options.set) line += " --set " + text::shell_word(set);
  return layout.empty() ? line : line + " --layout " + text::shell_word(layout);
}

/// A scenario that was run, with its prepared layouts.
struct Ran {
  const ScenarioInput& input;
  const scenario::Library& library;
  const RunOptions& options;
  const scenario::PreparedScenario* prepared;
};

/// The best change of the fastest layout, or the command that finds it if there are several
/// layouts.
std::string explain_fastest(const RunOptions& options, const scenario::ScenarioResult& result,
                            const scenario::LayoutResult& fastest) {
  return explain_command_line(options, result.layouts.size() > 1 ? fastest.name : "");
}

/// Adds assumptions to the result, for JSON as well.
void price_assumptions(const Ran& ran, const scenario::RunSettings& settings,
                       scenario::ScenarioResult& result) {
  const auto groups = scenario::ranked_groups(result);
  if (groups.empty()) return;
  scenario::LayoutResult& fastest = result.layouts[groups.front().fastest()];
  auto best =
      scenario::find_best_change(ran.input.document, fastest, ran.library, ran.input.load, settings,
                                 scenario::BestChangeOf::kAssumptions, ran.prepared);
  scenario::add_assumptions(best, fastest);
  if (best.unpriced.empty()) return;
  fastest.unpriced = {std::move(best.unpriced), explain_fastest(ran.options, result, fastest)};
}

/// The undecided layout next to the fastest, with what decides it if that is cheap.
std::optional<scenario::UndecidedLayout> what_decides(const Ran& ran,
                                                      const scenario::ScenarioResult& result,
                                                      const scenario::Tornado& of_fastest,
                                                      const scenario::RunSettings& settings) {
  if (ran.prepared == nullptr) return std::nullopt;
  const scenario::Studied studied{*ran.prepared, ran.library, ran.input.load, settings};
  std::map<std::size_t, scenario::Tornado> tornados;
  const auto varied = [&](std::size_t l) -> std::optional<scenario::VariedLayout> {
    const scenario::LayoutResult& layout = result.layouts[l];
    if (layout.name == of_fastest.layout) {
      return scenario::VariedLayout{studied.layout(layout.name), layout, of_fastest};
    }
    if (!scenario::is_quickly_varied(layout)) return std::nullopt;
    const auto own = tornados.try_emplace(l, scenario::tornado(studied, layout)).first;
    return scenario::VariedLayout{studied.layout(layout.name), layout, own->second};
  };
  auto found = scenario::undecided_layouts(result, varied, 1);
  return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

/// The answer, with the best change of the fastest layout if it is found quickly.
std::string run_text(const Ran& ran, const scenario::ScenarioResult& result,
                     const scenario::RunSettings& settings) {
  const RunOptions& options = ran.options;
  RunAnswer answer{result, std::nullopt, explain_command_line(options, "")};
  const auto groups = scenario::ranked_groups(result);
  if (!groups.empty()) {
    const auto& fastest = result.layouts[groups.front().fastest()];
    answer.explain = explain_fastest(options, result, fastest);
    const scenario::RunSettings limited = with_memory_limit(settings);
    answer.best =
        scenario::find_best_change(ran.input.document, fastest, ran.library, ran.input.load,
                                   limited, scenario::BestChangeOf::kAll, ran.prepared);
    if (answer.best->tornado) {
      answer.undecided = what_decides(ran, result, *answer.best->tornado, limited);
    }
  }
  const text::TerminalSize terminal = text::terminal_size(options.out);
  return options.full ? run_in_full(answer, terminal) : run_screen(answer, terminal);
}

std::function<bool()> deadline_after(SimTime limit) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::nanoseconds(limit.count() / 1000);
  return [end] { return Clock::now() >= end; };
}

}  // namespace

CLI::App* add_run_command(CLI::App& app, RunOptions& options) {
  CLI::App* command =
      app.add_subcommand("run", "simulate a scenario and show its layouts side by side");
  add_scenario_options(*command, options, kOutOrTable);
  add_run_options(*command, options);
  add_quiet_option(*command, options.quiet);
  command->footer(kRunFooter);
  return command;
}

int run_command(const RunOptions& options) {
  scenario::RunSettings settings = options.settings;
  if (options.time_limit) settings.limits.deadline_passed = deadline_after(*options.time_limit);
  settings.record = options.trace.has_value();
  ProgressLine line;
  if (!options.quiet) {
    settings.report = [&line](const Progress& progress) {
      line.show([&](double seconds) { return progress_text(progress, seconds); });
    };
  }
  std::optional<scenario::PreparedScenario> prepared;
  ScenarioAnswer answer;
  answer.command = "run";
  answer.evaluate = [&](const ScenarioInput& input, const scenario::Library& library,
                        std::optional<scenario::Manifest>& manifest) {
    auto result = run_input(input, library, options.draws, settings, &prepared);
    if (result) manifest = manifest_of(input, settings.seed, options.draws);
    const bool is_json =
        options.format == Format::kJson && !(options.out && tables::table_kind(*options.out));
    if (result && is_json) {
      price_assumptions({input, library, options, prepared ? &*prepared : nullptr},
                        with_memory_limit(settings), *result);
    }
    if (result && options.trace) {
      write_result(trace::trace_file(*result, *options.trace), options.trace);
    }
    return result;
  };
  answer.check = [&](const ScenarioInput& input, const scenario::Library& library) {
    return check_options(options, input, library, with_memory_limit(settings));
  };
  answer.text = [&](const auto& result, const auto& input, const auto& library) {
    return run_text({input, library, options, prepared ? &*prepared : nullptr}, result, settings);
  };
  return answer_scenario(options, answer);
}

}  // namespace vgsim::cli
