#include "models/scoring/fit/device_subject.hpp"

#include "models/scoring/fit/device_prediction.hpp"

namespace vgsim::scenario {

tl::expected<std::vector<Observation>, input::Diagnostics> DeviceSubject::observe(
    const Library& library) const {
  std::vector<Observation> all;
  for (const calibration::Measured& result : measurement_.results) {
    Observation each;
    each.id = measurement_.name;
    each.what = describe(result.work);
    each.measured_s = result.timing.median_s;
    each.predicted_s = predicted_seconds(result.work, measurement_.machine, library).value();
    all.push_back(std::move(each));
  }
  return all;
}

}  // namespace vgsim::scenario
