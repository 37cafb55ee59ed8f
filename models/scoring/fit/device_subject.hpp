#pragma once

#include <vector>

#include "models/calibration/measurement.hpp"
#include "models/scoring/fit/observation.hpp"

namespace vgsim::scenario {

/// Measurements of single GPUs for which predicted_seconds() has a prediction.
class DeviceSubject : public FitSubject {
 public:
  /// `measurement`: only results with a prediction.
  explicit DeviceSubject(calibration::Measurement measurement)
      : measurement_(std::move(measurement)) {}

  [[nodiscard]] tl::expected<std::vector<Observation>, input::Diagnostics> observe(
      const Library& library) const override;

 private:
  calibration::Measurement measurement_;
};

}  // namespace vgsim::scenario
