#include "models/scenario/answer/ranked_layouts.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "models/scenario/answer/layout_time.hpp"

namespace vgsim::scenario {
namespace {

/// Different sequence lengths count as different work.
std::string work_of(const LayoutResult& layout, bool with_tokens) {
  if (!layout.training) return layout.collective->collective;
  if (!with_tokens) return layout.training->network;
  return fmt::format("{}, {} tokens", layout.training->network, layout.training->tokens);
}

/// Whether the same network reads sequences of different lengths.
bool differ_in_tokens(const ScenarioResult& result, const LayoutResult& layout) {
  return std::any_of(result.layouts.begin(), result.layouts.end(), [&](const LayoutResult& other) {
    return layout.training && other.training &&
           other.training->network == layout.training->network &&
           other.training->tokens != layout.training->tokens;
  });
}

}  // namespace

Gap gap_between(double faster_s, const std::vector<std::optional<double>>& faster, double slower_s,
                const std::vector<std::optional<double>>& slower) {
  Gap gap;
  gap.more = faster_s > 0.0 ? slower_s / faster_s - 1.0 : 0.0;
  for (std::size_t d = 0; d < std::min(faster.size(), slower.size()); ++d) {
    if (!faster[d] || !slower[d]) continue;
    ++gap.draws;
    if (*slower[d] > *faster[d]) ++gap.agree;
  }
  gap.same = gap.more < kLeastDifference ||
             static_cast<double>(gap.agree) < kCertain * static_cast<double>(gap.draws);
  return gap;
}

std::size_t RankedGroup::shared() const {
  return static_cast<std::size_t>(std::count_if(
      layouts.begin(), layouts.end(), [](const RankedLayout& each) { return each.gap.same; }));
}

std::vector<RankedGroup> ranked_groups(const ScenarioResult& result) {
  std::vector<RankedGroup> groups;
  for (std::size_t l = 0; l < result.layouts.size(); ++l) {
    if (!compared_time(result.layouts[l])) continue;
    const LayoutResult& layout = result.layouts[l];
    const std::string work = work_of(layout, differ_in_tokens(result, layout));
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const RankedGroup& each) { return each.work == work; });
    if (group == groups.end()) group = groups.insert(groups.end(), {work, {}});
    group->layouts.push_back({l, {}});
  }
  for (RankedGroup& group : groups) {
    std::stable_sort(group.layouts.begin(), group.layouts.end(),
                     [&](const RankedLayout& a, const RankedLayout& b) {
                       return *compared_time(result.layouts[a.layout]) <
                              *compared_time(result.layouts[b.layout]);
                     });
    const LayoutResult& fastest = result.layouts[group.fastest()];
    for (RankedLayout& each : group.layouts) {
      const LayoutResult& layout = result.layouts[each.layout];
      each.gap = gap_between(*compared_time(fastest), fastest.drawn_s, *compared_time(layout),
                             layout.drawn_s);
    }
  }
  return groups;
}

}  // namespace vgsim::scenario
