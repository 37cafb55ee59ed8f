#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>

#include "models/scenario/intervals.hpp"
#include "models/scenario/result_json.hpp"
#include "models/scenario/simulate.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/machine_memory.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/progress.hpp"
#include "tools/cli/text_report.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/load_source.hpp"
#include "topology/input/unit_strings.hpp"

namespace vgsim::cli {
namespace {

using Report = std::string (*)(const scenario::ScenarioResult&);

constexpr std::uint64_t kUsualDraws = 20;

/// Whether the usual draws take seconds at most: by what was simulated, so that the same scenario
/// always gives the same answer.
bool is_quick(const scenario::ScenarioResult& result) {
  constexpr std::uint64_t kMostEvents = 20'000;
  constexpr std::size_t kMostRanks = 64;
  std::uint64_t events = 0;
  std::size_t ranks = 0;
  for (const auto& layout : result.layouts) {
    events += layout.events;
    ranks += layout.ranks;
  }
  return events <= kMostEvents && ranks <= kMostRanks;
}

template <class Evaluate>
int evaluate(const Options& options, const Evaluate& what, Report report) {
  const auto library = load_library(config_dir());
  if (!library) return report_errors(library.error());
  const auto file = input::load_source(options.scenario);
  if (!file) return report_errors(file.error());
  const auto result = what(*file, *library, loader_beside(options.scenario));
  if (!result) return report_errors(result.error());
  write_result(options.format == Format::kJson ? scenario::to_json(*result) : report(*result),
               options.out);
  const bool refused = std::any_of(result->layouts.begin(), result->layouts.end(),
                                   [](const auto& layout) { return layout.refused; });
  return refused ? kExpectationFailed : kDone;
}

std::string progress_text(const Progress& progress, double seconds) {
  return fmt::format("{:.0f} s: iteration {} of {}, {:.1f} million events, simulated time {}",
                     seconds, progress.iterations_done + 1, progress.iterations,
                     static_cast<double>(progress.events) / 1e6, input::format_time(progress.now));
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
  if (!settings.memory_limit) settings.memory_limit = machine_memory();
  ProgressLine line;
  settings.report = [&line](const Progress& progress) {
    line.show([&](double seconds) { return progress_text(progress, seconds); });
  };
  const auto run = [&](const input::SourcePtr& file, const scenario::Library& library,
                       const topology::FileLoader& load) {
    auto result = scenario::run_scenario(file, library, load, settings);
    const std::uint64_t draws =
        options.draws.value_or(result && is_quick(*result) ? kUsualDraws : 0);
    if (result && draws > 0) {
      scenario::add_intervals(*input::read_json(file), library, load, settings, draws, *result);
    }
    return result;
  };
  return evaluate(options, run, &result_text);
}

int validate_command(const Options& options) {
  return evaluate(options, &scenario::validate_scenario, &validation_text);
}

}  // namespace vgsim::cli
