#include "models/scenario/answer/layout_time.hpp"

#include <algorithm>

namespace vgsim::scenario {

std::optional<double> time_of(const LayoutResult& layout) {
  if (layout.training && layout.training->samples_per_s > 0) {
    return 1.0 / layout.training->samples_per_s;
  }
  if (!layout.collective || layout.collective->points.empty()) return std::nullopt;
  const auto& points = layout.collective->points;
  const auto largest = std::max_element(
      points.begin(), points.end(), [](const auto& a, const auto& b) { return a.size < b.size; });
  return to_seconds(largest->time);
}

std::optional<double> compared_time(const LayoutResult& layout) {
  if (layout.training && layout.training->samples > 0) {
    return layout.training->training_s / layout.training->samples;
  }
  return time_of(layout);
}

}  // namespace vgsim::scenario
