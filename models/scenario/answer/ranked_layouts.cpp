#include "models/scenario/answer/ranked_layouts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "models/calibration/statistics.hpp"
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

Statement statement_of(const Gap& gap) {
  if (gap.low > -kLeastDifference && gap.more >= kLeastDifference) return Statement::kSlower;
  const bool is_small = gap.low > -kSmallDifference && gap.high < kSmallDifference;
  return is_small ? Statement::kNoDifference : Statement::kUndecided;
}

/// The 90 % interval of relative differences; of few draws the prediction interval of Student's t,
/// in logarithms.
std::pair<double, double> gap_interval(const std::vector<double>& drawn, double predicted) {
  constexpr std::size_t kEnough = 20;  // for percentiles
  const std::size_t n = drawn.size();
  if (n >= kEnough) return {calibration::percentile(drawn, 5), calibration::percentile(drawn, 95)};
  if (n < 2) return {predicted, predicted};
  double mean = 0.0;
  for (const double more : drawn) mean += std::log1p(more) / static_cast<double>(n);
  double squares = 0.0;
  for (const double more : drawn) squares += std::pow(std::log1p(more) - mean, 2);
  const auto freedom = static_cast<double>(n - 1);
  const double half = calibration::student_95(freedom) *
                      std::sqrt(squares / freedom * (1.0 + 1.0 / static_cast<double>(n)));
  return {std::expm1(mean - half), std::expm1(mean + half)};
}

/// Whether its messages are of sizes for which contains_path() was measured.
bool has_large_messages(const LayoutResult& layout) {
  constexpr Bytes kLeast{512 << 10};
  return layout.training || largest_point(*layout.collective).size >= kLeast;
}

}  // namespace

const char* to_string(Statement statement) {
  switch (statement) {
    case Statement::kSlower:
      return "slower";
    case Statement::kNoDifference:
      return "no significant difference";
    case Statement::kUndecided:
      return "undecided";
  }
  throw std::logic_error("unknown statement");
}

Gap gap_between(double faster_s, const std::vector<std::optional<double>>& faster, double slower_s,
                const std::vector<std::optional<double>>& slower) {
  Gap gap;
  gap.more = faster_s > 0.0 ? slower_s / faster_s - 1.0 : 0.0;
  std::vector<double> drawn;
  for (std::size_t d = 0; d < std::min(faster.size(), slower.size()); ++d) {
    if (!faster[d] || !slower[d] || *faster[d] <= 0.0) continue;
    drawn.push_back(*slower[d] / *faster[d] - 1.0);
    if (drawn.back() > 0.0) ++gap.agree;
  }
  gap.draws = drawn.size();
  const auto [low, high] = gap_interval(drawn, gap.more);
  gap.low = std::min(gap.more, low);
  gap.high = std::max(gap.more, high);
  gap.statement = statement_of(gap);
  return gap;
}

Gap gap_between(const LayoutResult& faster, const LayoutResult& slower) {
  Gap gap =
      gap_between(*compared_time(faster), faster.drawn_s, *compared_time(slower), slower.drawn_s);
  const bool may_be_slower = gap.more > 0.0 && !gap.is_slower() && has_large_messages(slower);
  if (may_be_slower && contains_path(slower.path, faster.path)) {
    gap.low = std::max(gap.low, 0.0);
    gap.high = std::max(gap.high, gap.low);
    gap.statement = statement_of(gap);
  }
  return gap;
}

bool RankedGroup::is_open() const {
  return std::none_of(layouts.begin(), layouts.end(),
                      [](const RankedLayout& each) { return each.gap.is_slower(); });
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
      each.gap = gap_between(fastest, result.layouts[each.layout]);
    }
  }
  return groups;
}

}  // namespace vgsim::scenario
