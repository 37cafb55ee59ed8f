#include "models/scoring/fit/collective_subject.hpp"

#include "models/scoring/kinds/collective_prediction.hpp"

namespace vgsim::scenario {

tl::expected<std::vector<Observation>, input::Diagnostics> CollectiveSubject::observe(
    const Library& library) const {
  const auto prediction = scoring::predict(measured_, library, load_);
  if (!prediction) return tl::unexpected(prediction.error());
  std::vector<Observation> all;
  const auto points = scoring::compare(measured_, *prediction).series.front().points;
  for (std::size_t p = 0; p < points.size(); ++p) {
    const scoring::Point& point = points[p];
    if (!point.is_scored()) continue;
    Observation each;
    each.id = measured_.head.id;
    each.what = point.label;
    each.measured_s = *point.measured;
    each.predicted_s = *point.measured * (1 + *point.error);
    each.low_s = point.interval->low;
    each.high_s = point.interval->high;
    each.collective = CollectiveSize{prediction->collective, prediction->ranks, prediction->nodes,
                                     measured_.points[p].size};
    all.push_back(std::move(each));
  }
  return all;
}

}  // namespace vgsim::scenario
