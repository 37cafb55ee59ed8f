#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>

#include "models/questions/explain/best_changes.hpp"
#include "models/scenario/answer/result_json.hpp"
#include "models/scenario/answer/run_scenario.hpp"
#include "models/scenario/answer/standing.hpp"
#include "tools/cli/commands/commands.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/layouts_apart.hpp"
#include "tools/cli/machine_memory.hpp"
#include "tools/cli/options/without_effect.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/run_scenario_input.hpp"
#include "tools/cli/scenario_input.hpp"
#include "tools/cli/screen/run_screen.hpp"
#include "tools/cli/screen/validation_screen.hpp"
#include "tools/cli/text/progress.hpp"
#include "tools/tables/result_table.hpp"
#include "tools/text/words.hpp"
#include "tools/trace/perfetto_trace.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::cli {
namespace {

scenario::RunSettings with_memory_limit(scenario::RunSettings settings) {
  if (!settings.memory_limit) settings.memory_limit = machine_memory();
  return settings;
}

/// Reads scenario and library, evaluates and writes what came out. A layout in which something is
/// wrong leaves the others their answer.
template <class Check, class Evaluate, class Report>
int evaluate(const Options& options, const char* command, const Check& check, const Evaluate& what,
             const Report& report) {
  const auto of_table = table_options_without_effect(options.out, options.format, options.full);
  if (const int bad = report_options(of_table, command); bad != kDone) return bad;
  const auto library = load_library(config_dir());
  if (!library) return report_errors(library.error());
  auto input = read_scenario_input(options.scenario, options.set, options.layouts);
  if (!input) return report_errors(input.error());
  std::optional<scenario::Manifest> manifest;
  if (const int bad = check(*input, *library); bad != kDone) return bad;
  const auto answer = ask_good_layouts(*input, *library, [&](const ScenarioInput& asked) {
    return what(asked, *library, manifest);
  });
  if (!answer) return kBadInput;
  const scenario::ScenarioResult* result = &answer->value;
  if (const auto table = options.out ? tables::table_kind(*options.out) : std::nullopt) {
    const auto json = nlohmann::ordered_json::parse(scenario::to_json(*result, manifest));
    write_result(tables::table_bytes(tables::result_table(json), *table), options.out);
  } else {
    write_result(options.format == Format::kJson ? scenario::to_json(*result, manifest)
                                                 : report(*result, *input, *library),
                 options.out);
  }
  return exit_code_of(*result, answer->complete);
}

/// Options that the scenario has no use for. What is wrong with the scenario is said where it runs.
int check_options(const Options& options, const ScenarioInput& input,
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

/// What tells what would help a layout.
std::string explain_command_line(const Options& options, const std::string& layout) {
  std::string line = "vgsim explain " + shell_word(options.scenario);
  for (const std::string& set : options.set) line += " --set " + shell_word(set);
  return layout.empty() ? line : line + " --layout " + shell_word(layout);
}

/// A scenario that was run, and what it was prepared to.
struct Ran {
  const ScenarioInput& input;
  const scenario::Library& library;
  const Options& options;
  const scenario::PreparedScenario* prepared;
};

/// Of the fastest layout, by its command where there are several.
std::string explain_fastest(const Options& options, const scenario::ScenarioResult& result,
                            const scenario::LayoutResult& fastest) {
  return explain_command_line(options, result.layouts.size() > 1 ? fastest.name : "");
}

/// The result names what it rests on for programs, too.
void add_assumptions(const Ran& ran, const scenario::RunSettings& settings,
                     scenario::ScenarioResult& result) {
  const auto groups = scenario::standings_of(result);
  if (groups.empty()) return;
  scenario::LayoutResult& fastest = result.layouts[groups.front().fastest()];
  auto best =
      scenario::find_best_change(ran.input.document, fastest, ran.library, ran.input.load, settings,
                                 scenario::BestChangeOf::kAssumptions, ran.prepared);
  for (const scenario::TriedChange& each : best.assumptions) {
    fastest.assumed.push_back({each.change.title, each.before_s, each.after_s});
  }
  if (best.unpriced.empty()) return;
  fastest.unpriced = {std::move(best.unpriced), explain_fastest(ran.options, result, fastest)};
}

/// The answer, with the best change of the fastest layout where little work finds it.
std::string run_text(const Ran& ran, const scenario::ScenarioResult& result,
                     const scenario::RunSettings& settings) {
  const Options& options = ran.options;
  RunAnswer answer{result, std::nullopt, explain_command_line(options, "")};
  const auto groups = scenario::standings_of(result);
  if (!groups.empty()) {
    const auto& fastest = result.layouts[groups.front().fastest()];
    answer.explain = explain_fastest(options, result, fastest);
    answer.best = scenario::find_best_change(ran.input.document, fastest, ran.library,
                                             ran.input.load, with_memory_limit(settings),
                                             scenario::BestChangeOf::kAll, ran.prepared);
  }
  const Room room = room_of(options.out);
  return options.full ? run_in_full(answer, room) : run_screen(answer, room);
}

std::function<bool()> deadline_after(SimTime limit) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::nanoseconds(limit.count() / 1000);
  return [end] { return Clock::now() >= end; };
}

}  // namespace

int run_command(const Options& options) {
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
  const auto run = [&](const ScenarioInput& input, const scenario::Library& library,
                       std::optional<scenario::Manifest>& manifest) {
    auto result = run_input(input, library, options.draws, settings, &prepared);
    if (result) manifest = manifest_of(input, settings.seed, options.draws);
    const bool is_json =
        options.format == Format::kJson && !(options.out && tables::table_kind(*options.out));
    if (result && is_json) {
      add_assumptions({input, library, options, prepared ? &*prepared : nullptr},
                      with_memory_limit(settings), *result);
    }
    if (result && options.trace) {
      write_result(trace::trace_file(*result, *options.trace), options.trace);
    }
    return result;
  };
  const auto check = [&](const ScenarioInput& input, const scenario::Library& library) {
    return check_options(options, input, library, with_memory_limit(settings));
  };
  return evaluate(options, "run", check, run,
                  [&](const auto& result, const auto& input, const auto& library) {
                    return run_text({input, library, options, prepared ? &*prepared : nullptr},
                                    result, settings);
                  });
}

int validate_command(const Options& options) {
  const auto validate = [](const ScenarioInput& input, const scenario::Library& library,
                           std::optional<scenario::Manifest>&) {
    return scenario::validate_scenario(input.document, library, input.load);
  };
  const auto no_check = [](const ScenarioInput&, const scenario::Library&) { return kDone; };
  return evaluate(
      options, "validate", no_check, validate, [&](const auto& result, const auto&, const auto&) {
        const Room room = room_of(options.out);
        return options.full ? validation_in_full(result, room) : validation_screen(result, room);
      });
}

}  // namespace vgsim::cli
