#include "models/questions/fit/collective_subject.hpp"

#include "models/questions/score/point_error.hpp"
#include "models/questions/score/predict.hpp"
#include "topology/input/binary_size.hpp"

namespace vgsim::scenario {

tl::expected<std::vector<Observation>, input::Diagnostics> CollectiveSubject::observe(
    const Library& library) const {
  const auto prediction = predict(measured_, library, load_);
  if (!prediction) return tl::unexpected(prediction.error());
  std::vector<Observation> all;
  for (const PointError& point : point_errors(measured_, *prediction)) {
    Observation each;
    each.id = measured_.id;
    each.what = input::format_binary_size(point.size);
    each.measured_s = point.measured_s;
    each.predicted_s = point.measured_s * (1 + point.error);
    each.low_s = point.low_s;
    each.high_s = point.high_s;
    each.collective =
        CollectiveSize{prediction->collective, prediction->ranks, prediction->nodes, point.size};
    all.push_back(std::move(each));
  }
  return all;
}

}  // namespace vgsim::scenario
