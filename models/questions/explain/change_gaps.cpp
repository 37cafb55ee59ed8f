#include "models/questions/explain/change_gaps.hpp"

#include <algorithm>
#include <utility>

#include "models/scenario/answer/intervals.hpp"
#include "models/scenario/answer/layout_time.hpp"
#include "models/scenario/answer/ranked_layouts.hpp"
#include "models/scenario/answer/run_scenario.hpp"

namespace vgsim::scenario {
namespace {

/// A changed layout, prepared once for all of its draws.
struct Drawable {
  PreparedScenario prepared;
  ScenarioResult result;
};

std::optional<Drawable> drawable(const ChangeContext& at, const input::FileLoader& load,
                                 const RunSettings& settings, const TriedChange& tried) {
  input::Diagnostics diagnostics;
  const Document changed = with_overrides(at.document, tried.change.overrides, diagnostics);
  auto prepared = prepare_scenario(changed, at.library, load, settings, &at.prepared);
  if (!prepared) return std::nullopt;
  return Drawable{std::move(*prepared), {tried.result.name, {tried.result}, {}}};
}

void draw(const ChangeContext& at, const input::FileLoader& load, const RunSettings& settings,
          const Drawable& changed, std::uint64_t end, TriedChange& tried, ComputedParts* parts) {
  const std::uint64_t count = at.result.drawn_s.size();
  std::vector<std::optional<double>>& drawn = tried.result.drawn_s;
  const auto more = drawn_times(changed.prepared, at.library, load, settings,
                                {drawn.size(), std::min(end, count), count}, changed.result, parts);
  drawn.insert(drawn.end(), more.begin(), more.end());
  tried.gap = gap_between(tried.result, at.result);
}

}  // namespace

/// The layout and its change have the same draws, so what both share cancels. Few draws have wide
/// intervals (gap_between()), and most gains are clear in these.
void add_gaps(const ChangeContext& at, const input::FileLoader& load, const RunSettings& settings,
              std::vector<TriedChange>& tried, ComputedParts* parts) {
  const std::uint64_t all = at.result.drawn_s.size();
  if (all == 0) return;
  const std::uint64_t again = events_again(at.result);
  std::uint64_t runs = 0;
  const auto is_affordable = [&](std::uint64_t more) {
    return is_little_work(runs + more, again, at.result.ranks);
  };
  for (const bool changes_training : {false, true}) {
    for (const TriedChange* helping : helping_changes(tried, changes_training)) {
      TriedChange& each = tried[static_cast<std::size_t>(helping - tried.data())];
      const std::uint64_t first = std::min(kFirstDraws, all);
      if (!is_affordable(first)) return;
      const auto changed = drawable(at, load, settings, each);
      if (!changed) continue;
      draw(at, load, settings, *changed, first, each, parts);
      runs += first;
      if (each.gap->statement != Statement::kUndecided || !is_affordable(all - first)) continue;
      draw(at, load, settings, *changed, all, each, parts);
      runs += all - first;
    }
  }
}

}  // namespace vgsim::scenario
