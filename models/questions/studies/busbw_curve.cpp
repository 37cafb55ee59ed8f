#include "models/questions/studies/busbw_curve.hpp"

#include <algorithm>
#include <memory>

#include "models/questions/studies/one_run.hpp"

namespace vgsim::scenario {
namespace {

constexpr std::int64_t kSmallest = 8;
constexpr std::int64_t kLargest = std::int64_t{4} << 30;
constexpr std::size_t kFewestPoints = 3;  ///< smallest number of points of a curve

/// The layout with only the collective as its job, on the same GPUs.
Shared<Layout> with_collective(const Layout& layout) {
  auto changed = std::make_shared<Layout>(layout);
  JobSpec& job = changed->job.value;
  job.training = {};
  job.collective = job.collective.value_or(collectives::Collective::kAllReduce);
  job.sizes.clear();
  for (std::int64_t size = kSmallest; size <= kLargest; size *= 2) job.sizes.emplace_back(size);
  changed->disruptions.clear();
  changed->faults.clear();
  changed->prices.reset();
  changed->reliability.reset();
  return changed;
}

void fill(const LayoutResult& run, BusbwCurve& curve) {
  curve.collective = *run.collective;
  const auto carries = std::find_if(run.links.begin(), run.links.end(),
                                    [](const LinkUse& link) { return link.bytes > 0; });
  if (carries != run.links.end()) curve.limit = *carries;
}

}  // namespace

std::optional<double> limit_GBps(const BusbwCurve& curve) {
  if (!curve.limit || curve.limit->utilization <= 0 || curve.collective.points.empty()) {
    return std::nullopt;
  }
  const auto largest =
      std::max_element(curve.collective.points.begin(), curve.collective.points.end(),
                       [](const auto& a, const auto& b) { return a.size < b.size; });
  return largest->busbw_GBps / curve.limit->utilization;
}

BusbwCurve busbw_curve(const Studied& studied, const LayoutResult& layout) {
  constexpr std::size_t kRuns = 10;  ///< equivalent number of runs
  BusbwCurve curve;
  curve.layout = layout.name;
  if (layout.refused) {
    curve.left_out = "the layout is refused";
  } else if (layout.collective && layout.collective->points.size() >= kFewestPoints) {
    fill(layout, curve);
  } else if (layout.ranks < 2) {
    curve.left_out = "the job has only one GPU";
  } else if (!is_affordable(layout, kRuns)) {
    curve.left_out = "simulating every message size on this number of GPUs would take too long";
  } else {
    const Layout& own = *studied.layout(layout.name).placement.layout;
    const auto run = run_alone(studied, with_collective(own), studied.settings);
    if (run && run->collective) {
      fill(*run, curve);
    } else {
      curve.left_out = "a collective without training cannot run on this layout";
    }
  }
  return curve;
}

}  // namespace vgsim::scenario
