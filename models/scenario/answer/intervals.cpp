#include "models/scenario/answer/intervals.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "models/calibration/statistics.hpp"
#include "models/scenario/answer/bottleneck.hpp"
#include "models/scenario/answer/layout_time.hpp"
#include "models/scenario/answer/model_error.hpp"
#include "models/scenario/answer/run_scenario.hpp"
#include "models/scenario/read/library.hpp"
#include "sim/engine.hpp"

namespace vgsim::scenario {
namespace {

struct Outcome {
  std::optional<ScenarioResult> result;
  std::vector<ErrorFactors> error_factors;  ///< by layout, for training jobs
  bool cut_off = false;                     ///< by a limit
};

std::vector<Outcome> run_draws(const PreparedScenario& prepared, const Library& library,
                               const input::FileLoader& load, RunSettings settings,
                               const SomeDraws& draws, const ScenarioResult& result,
                               ComputedParts* parts) {
  const Scenario scenario = prepared.scenario();
  settings.seeds = 1;
  settings.report = {};
  settings.record = false;
  settings.only_times = true;
  settings.epoch_end = false;
  settings.note_inputs = false;
  for (const LayoutResult& layout : result.layouts) {
    settings.hidden_traffic[layout.name] = layout.hidden_traffic;
    if (layout.jobs.size() > kMostFollowedJobs) settings.paces[layout.name] = layout.pace;
  }
  const auto& deadline_passed = settings.limits.deadline_passed;
  return computed<Outcome>(parts, draws.end - draws.begin, [&](std::size_t index) {
    Outcome outcome;
    outcome.cut_off = deadline_passed && deadline_passed();
    if (outcome.cut_off) return outcome;
    RunSettings own = settings;
    own.draw = ParameterDraw{draws.begin + index, draws.count, settings.seed.value_or(1)};
    try {
      if (const auto drawn = prepare(scenario, library, load, own, &prepared)) {
        for (std::size_t l = 0; l < drawn->layouts.size(); ++l) {
          const PreparedLayout& layout = drawn->layouts[l];
          const bool trains = !layout.is_refused() && layout.placement.job.training;
          const auto& parameters = prepared.layouts[l].library.library->parameters;
          outcome.error_factors.push_back(
              trains ? drawn_error_factors(layout, parameters, *own.draw) : ErrorFactors{});
        }
        outcome.result = run(*drawn, own);
      }
    } catch (const LimitExceeded&) {
      outcome.cut_off = true;
    } catch (const OverflowError&) {
    } catch (const Stalled&) {
    }
    return outcome;
  });
}

/// The 90 % interval, extended to contain the prediction.
Interval interval_of(const std::vector<double>& seconds, double predicted) {
  return {std::min(calibration::percentile(seconds, 5), predicted),
          std::max(calibration::percentile(seconds, 95), predicted), seconds.size()};
}

double stopped(const TrainingResult& training) {
  double seconds = 0.0;
  for (const Interruption& each : training.interruptions) seconds += each.seconds;
  return seconds;
}

/// The time by which a layout is compared, with the drawn errors of the model.
std::optional<double> drawn_time(const Outcome& outcome, std::size_t layout) {
  if (!outcome.result) return std::nullopt;
  const LayoutResult& drawn = outcome.result->layouts[layout];
  const auto time = compared_time(drawn);
  if (!time) return std::nullopt;
  // Both ends of a point are at the drawn error.
  if (!drawn.training) return to_seconds(largest_point(*drawn.collective).low);
  const double stops = stopped(*drawn.training) / drawn.training->samples;
  return (*time - stops) * slowdown_by(*drawn.training, outcome.error_factors[layout]) + stops;
}

}  // namespace

std::uint64_t usual_draws(const ScenarioResult& result) {
  constexpr std::uint64_t kMostEvents = 50'000;
  constexpr std::size_t kMostRanks = 64;
  std::uint64_t events = 0;
  std::size_t ranks = 0;
  for (const auto& layout : result.layouts) {
    events += events_again(layout);
    if (layout.jobs.size() > kMostFollowedJobs) events -= layout.events_of_jobs;
    ranks += layout.ranks;
  }
  return events <= kMostEvents && ranks <= kMostRanks ? kUsualDraws : 0;
}

void add_intervals(const PreparedScenario& prepared, const Library& library,
                   const input::FileLoader& load, const RunSettings& settings, std::uint64_t draws,
                   ScenarioResult& result, ComputedParts* parts) {
  const auto outcomes =
      run_draws(prepared, library, load, settings, {0, draws, draws}, result, parts);
  for (std::size_t l = 0; l < result.layouts.size(); ++l) {
    auto& drawn = result.layouts[l].drawn_s;
    for (const Outcome& outcome : outcomes) drawn.push_back(drawn_time(outcome, l));
    auto& training = result.layouts[l].training;
    std::vector<double> iterations;
    std::vector<double> trainings;
    for (const Outcome& outcome : outcomes) {
      if (!training || !outcome.result || !outcome.result->layouts[l].training) continue;
      const TrainingResult& run = *outcome.result->layouts[l].training;
      const double factor = slowdown_by(run, outcome.error_factors[l]);
      const bool agrees = is_limit_in(run, outcome.error_factors[l], result.layouts[l]);
      ++result.layouts[l].same_limit.draws;
      result.layouts[l].same_limit.agree += agrees ? 1 : 0;
      const double stops = stopped(run);
      iterations.push_back(to_seconds(run.iteration) * factor);
      trainings.push_back((run.training_s - stops) * factor + stops);
    }
    if (iterations.empty()) continue;
    training->iteration_interval = interval_of(iterations, to_seconds(training->iteration));
    training->training_interval = interval_of(trainings, training->training_s);
  }
  const auto cut_off = std::count_if(outcomes.begin(), outcomes.end(),
                                     [](const Outcome& outcome) { return outcome.cut_off; });
  result.draws = {outcomes.size(), static_cast<std::size_t>(cut_off)};
}

std::vector<std::optional<double>> drawn_times(const PreparedScenario& prepared,
                                               const Library& library,
                                               const input::FileLoader& load,
                                               const RunSettings& settings, const SomeDraws& draws,
                                               const ScenarioResult& result, ComputedParts* parts) {
  std::vector<std::optional<double>> times;
  for (const Outcome& outcome :
       run_draws(prepared, library, load, settings, draws, result, parts)) {
    times.push_back(drawn_time(outcome, 0));
  }
  return times;
}

}  // namespace vgsim::scenario
