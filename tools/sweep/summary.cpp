#include "tools/sweep/summary.hpp"

#include <algorithm>

#include "models/scenario/answer/figures.hpp"

namespace vgsim::sweep {
namespace {

/// Limits memory if almost every point fails for a different reason.
constexpr std::size_t kMostReasons = 1000;

bool is_better(double a, double b, scenario::Better better) {
  return better == scenario::Better::kHigher ? a > b : a < b;
}

}  // namespace

void Summary::add(const PointRow& row) {
  ++points;
  if (!row.failed.empty()) {
    ++failed;
    if (row.failed == "internal") ++bugs;
    const std::string reason = row.reasons.empty() ? "" : row.reasons.front();
    if (reasons.size() < kMostReasons || reasons.contains(reason)) ++reasons[reason];
  }
  for (const LayoutRow& layout : row.layouts) {
    ++layouts;
    if (layout.refused) ++refused;
    for (const auto& [name, value] : layout.metrics) {
      const Extreme here{value, row.index, layout.name, {}};
      auto range = std::find_if(
          metrics.begin(), metrics.end(),
          [&name = name](const MetricRange& each) { return each.metric.name == name; });
      if (range == metrics.end()) {
        const auto metric = scenario::metric_named(name);
        if (!metric || metric->better == scenario::Better::kNeither) continue;
        metrics.push_back({*metric, here, here});
        metrics.back().best.set = metrics.back().worst.set = row.set;
        continue;
      }
      const scenario::Better better = range->metric.better;
      Extreme* extreme = is_better(value, range->best.value, better)    ? &range->best
                         : is_better(range->worst.value, value, better) ? &range->worst
                                                                        : nullptr;
      if (extreme == nullptr) continue;
      *extreme = here;
      extreme->set = row.set;
    }
  }
}

}  // namespace vgsim::sweep
