#include "models/scenario/answer/layout_time.hpp"

#include <algorithm>

#include "models/scenario/run/repetitions.hpp"

namespace vgsim::scenario {

const CollectivePoint& largest_point(const CollectiveResult& collective) {
  return *std::max_element(collective.points.begin(), collective.points.end(),
                           [](const auto& a, const auto& b) { return a.size < b.size; });
}

std::optional<double> time_of(const LayoutResult& layout) {
  if (layout.training && layout.training->samples_per_s > 0) {
    return 1.0 / layout.training->samples_per_s;
  }
  if (!layout.collective || layout.collective->points.empty()) return std::nullopt;
  return to_seconds(largest_point(*layout.collective).time);
}

std::optional<double> compared_time(const LayoutResult& layout) {
  if (layout.training && layout.training->samples > 0) {
    return layout.training->training_s / layout.training->samples;
  }
  return time_of(layout);
}

std::uint64_t events_again(const LayoutResult& layout) {
  // Two runs: the first one measures the overlap of traffic, which determines its slowdown in the
  // second.
  constexpr std::uint64_t kRuns = 2;
  constexpr std::uint64_t kIterations = 3;
  if (!layout.training) return layout.events + layout.tasks;
  // Tasks that are alike are one event, but each of them is built.
  const std::uint64_t built = kRuns * layout.tasks;
  const std::uint64_t were = std::max<std::uint64_t>(layout.training->iterations_run, 1);
  // Others stop where iterations repeat; what never did so here will not do so there.
  if (were >= kMostIterations) return kRuns * layout.events + built + layout.events_of_jobs;
  return kRuns * layout.events * std::min(were, kIterations) / were + built + layout.events_of_jobs;
}

}  // namespace vgsim::scenario
