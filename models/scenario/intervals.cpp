#include "models/scenario/intervals.hpp"

#include <vector>

#include "models/calibration/statistics.hpp"
#include "models/scenario/parallel_for.hpp"
#include "models/scenario/simulate.hpp"
#include "sim/engine.hpp"

namespace vgsim::scenario {
namespace {

using Outcome = std::optional<ScenarioResult>;

std::vector<Outcome> run_draws(const input::Value& document, const Library& library,
                               const topology::FileLoader& load, RunSettings settings,
                               std::uint64_t draws) {
  settings.seeds = 1;
  settings.report = {};
  std::vector<Outcome> outcomes(draws);
  parallel_for(draws, [&](std::size_t index) {
    RunSettings own = settings;
    own.draw = ParameterDraw{index, draws, settings.seed.value_or(1)};
    try {
      if (auto run = run_scenario(document, library, load, own)) outcomes[index] = *run;
    } catch (const OverflowError&) {
    } catch (const LimitExceeded&) {
    } catch (const Stalled&) {
    }
  });
  return outcomes;
}

Interval interval_of(const std::vector<double>& seconds) {
  return {calibration::percentile(seconds, 5), calibration::percentile(seconds, 95),
          seconds.size()};
}

}  // namespace

void add_intervals(const input::Value& document, const Library& library,
                   const topology::FileLoader& load, const RunSettings& settings,
                   std::uint64_t draws, ScenarioResult& result) {
  const auto outcomes = run_draws(document, library, load, settings, draws);
  for (std::size_t l = 0; l < result.layouts.size(); ++l) {
    auto& training = result.layouts[l].training;
    std::vector<double> iterations;
    std::vector<double> trainings;
    for (const Outcome& outcome : outcomes) {
      if (!training || !outcome || !outcome->layouts[l].training) continue;
      iterations.push_back(to_seconds(outcome->layouts[l].training->iteration));
      trainings.push_back(outcome->layouts[l].training->training_s);
    }
    if (iterations.empty()) continue;
    training->iteration_interval = interval_of(iterations);
    training->training_interval = interval_of(trainings);
  }
}

}  // namespace vgsim::scenario
