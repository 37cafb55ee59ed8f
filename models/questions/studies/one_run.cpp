#include "models/questions/studies/one_run.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "models/scenario/answer/layout_time.hpp"
#include "models/scenario/answer/run_scenario.hpp"
#include "sim/engine.hpp"

namespace vgsim::scenario {

const PreparedLayout& Studied::layout(const std::string& name) const {
  for (const PreparedLayout& each : prepared.layouts) {
    if (each.placement.layout->name == name) return each;
  }
  throw std::out_of_range("no layout " + name);
}

std::optional<LayoutResult> run_alone(const Studied& studied, const Shared<Layout>& layout,
                                      const RunSettings& settings) {
  RunSettings own = settings;
  own.seeds = 1;
  own.record = false;
  own.next_limit = false;
  own.epoch_end = false;
  own.note_inputs = false;
  own.report = {};
  try {
    const auto changed = prepare({studied.prepared.name, {layout}}, studied.library, studied.load,
                                 own, &studied.prepared);
    if (!changed) return std::nullopt;
    ScenarioResult result = run(*changed, own);
    if (result.layouts.front().refused) return std::nullopt;
    return std::move(result.layouts.front());
  } catch (const OverflowError&) {
  } catch (const LimitExceeded&) {
  } catch (const Stalled&) {
  }
  return std::nullopt;
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
