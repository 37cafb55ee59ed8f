#include "models/scenario/answer/intervals.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "models/calibration/statistics.hpp"
#include "models/scenario/answer/layout_time.hpp"
#include "models/scenario/answer/model_error.hpp"
#include "models/scenario/answer/parallel_for.hpp"
#include "models/scenario/answer/run_scenario.hpp"
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
                               std::uint64_t draws, const ScenarioResult& result) {
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
  std::vector<Outcome> outcomes(draws);
  const auto& deadline_passed = settings.limits.deadline_passed;
  parallel_for(draws, [&](std::size_t index) {
    outcomes[index].cut_off = deadline_passed && deadline_passed();
    if (outcomes[index].cut_off) return;
    RunSettings own = settings;
    own.draw = ParameterDraw{index, draws, settings.seed.value_or(1)};
    try {
      if (const auto drawn = prepare(scenario, library, load, own, &prepared)) {
        for (const PreparedLayout& layout : drawn->layouts) {
          const bool trains = !layout.is_refused() && layout.placement.job.training;
          outcomes[index].error_factors.push_back(
              trains ? error_factors_at(layout, &calibration::Uncertain::value) : ErrorFactors{});
        }
        outcomes[index].result = run(*drawn, own);
      }
    } catch (const LimitExceeded&) {
      outcomes[index].cut_off = true;
    } catch (const OverflowError&) {
    } catch (const Stalled&) {
    }
  });
  return outcomes;
}

/// Compares each layout with the next slower one.
std::vector<RankingPair> ranking_of(const ScenarioResult& result,
                                    const std::vector<Outcome>& outcomes) {
  std::vector<std::size_t> order;
  for (std::size_t l = 0; l < result.layouts.size(); ++l) {
    if (time_of(result.layouts[l])) order.push_back(l);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return *time_of(result.layouts[a]) < *time_of(result.layouts[b]);
  });
  std::vector<RankingPair> ranking;
  for (std::size_t i = 1; i < order.size(); ++i) {
    RankingPair pair{result.layouts[order[i - 1]].name, result.layouts[order[i]].name, 0, 0};
    for (const Outcome& outcome : outcomes) {
      if (!outcome.result) continue;
      const auto faster = time_of(outcome.result->layouts[order[i - 1]]);
      const auto slower = time_of(outcome.result->layouts[order[i]]);
      if (!faster || !slower) continue;
      ++pair.draws;
      if (*faster <= *slower) ++pair.agree;
    }
    if (pair.draws > 0) ranking.push_back(std::move(pair));
  }
  return ranking;
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
                   ScenarioResult& result) {
  const auto outcomes = run_draws(prepared, library, load, settings, draws, result);
  for (std::size_t l = 0; l < result.layouts.size(); ++l) {
    auto& drawn = result.layouts[l].drawn_s;
    for (const Outcome& outcome : outcomes) {
      drawn.push_back(outcome.result ? compared_time(outcome.result->layouts[l]) : std::nullopt);
    }
    auto& training = result.layouts[l].training;
    std::vector<double> iterations;
    std::vector<double> trainings;
    for (const Outcome& outcome : outcomes) {
      if (!training || !outcome.result || !outcome.result->layouts[l].training) continue;
      const TrainingResult& run = *outcome.result->layouts[l].training;
      const double factor = slowdown_by(run, outcome.error_factors[l]);
      const double stops = stopped(run);
      iterations.push_back(to_seconds(run.iteration) * factor);
      trainings.push_back((run.training_s - stops) * factor + stops);
    }
    if (iterations.empty()) continue;
    training->iteration_interval = interval_of(iterations, to_seconds(training->iteration));
    training->training_interval = interval_of(trainings, training->training_s);
  }
  result.ranking = ranking_of(result, outcomes);
  const auto cut_off = std::count_if(outcomes.begin(), outcomes.end(),
                                     [](const Outcome& outcome) { return outcome.cut_off; });
  result.draws = {outcomes.size(), static_cast<std::size_t>(cut_off)};
}

}  // namespace vgsim::scenario
