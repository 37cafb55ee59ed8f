#include "models/questions/studies/one_run.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "models/scenario/answer/layout_time.hpp"
#include "models/scenario/answer/run_scenario.hpp"
#include "models/scenario/run/same_step.hpp"
#include "sim/engine.hpp"

namespace vgsim::scenario {

const PreparedLayout& Studied::layout(const std::string& name) const {
  for (const PreparedLayout& each : prepared.layouts) {
    if (each.placement.layout->name == name) return each;
  }
  throw std::out_of_range("no layout " + name);
}

namespace {

RunSettings without_details(RunSettings settings) {
  settings.seeds = 1;
  settings.record = false;
  settings.next_limit = false;
  settings.epoch_end = false;
  settings.note_inputs = false;
  settings.report = {};
  return settings;
}

}  // namespace

std::optional<LayoutResult> run_alone(const Studied& studied, const Shared<Layout>& layout,
                                      const RunSettings& settings) {
  RunSettings own = without_details(settings);
  try {
    const auto changed = prepare({studied.prepared.name, {layout}}, studied.library, studied.load,
                                 own, &studied.prepared);
    if (!changed) return std::nullopt;
    const auto& training = changed->layouts.front().training;
    // The number of simulated time slices depends on the requested figures.
    own.only_times = !training || !training->shared.any();
    ScenarioResult result = run(*changed, own);
    if (result.layouts.front().refused) return std::nullopt;
    return std::move(result.layouts.front());
  } catch (const OverflowError&) {
  } catch (const LimitExceeded&) {
  } catch (const Stalled&) {
  }
  return std::nullopt;
}

std::shared_ptr<const KnownSteps> learn_steps(const PreparedScenario& prepared,
                                              RunSettings settings) {
  settings = without_details(std::move(settings));
  settings.learned_steps = std::make_shared<KnownSteps>();
  try {
    static_cast<void>(run(prepared, settings));
  } catch (const OverflowError&) {
  } catch (const LimitExceeded&) {
  } catch (const Stalled&) {
  }
  return settings.learned_steps;
}

bool is_affordable(const LayoutResult& layout, std::size_t runs) {
  constexpr std::uint64_t kMostWork = 8'000'000;
  constexpr std::uint64_t kEventsOfRank = 10;  ///< cost of placing a rank, in events
  constexpr std::uint64_t kEventsOfRun = 2'000;
  const std::uint64_t work = events_again(layout) + kEventsOfRank * layout.ranks + kEventsOfRun;
  return work <= kMostWork / std::max<std::uint64_t>(runs, 1);
}

std::optional<double> measured_seconds(const LayoutResult& layout) {
  if (layout.training) return to_seconds(layout.training->iteration);
  return time_of(layout);
}

std::optional<std::size_t> fastest_layout(const ScenarioResult& result) {
  std::optional<std::size_t> best;
  for (std::size_t l = 0; l < result.layouts.size(); ++l) {
    const auto time = result.layouts[l].refused ? std::nullopt : time_of(result.layouts[l]);
    if (time && (!best || *time < *time_of(result.layouts[*best]))) best = l;
  }
  return best;
}

}  // namespace vgsim::scenario
