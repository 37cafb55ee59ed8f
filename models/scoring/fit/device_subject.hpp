#pragma once

#include <vector>

#include "models/calibration/measurement.hpp"
#include "models/scoring/fit/observation.hpp"

namespace vgsim::scenario {

/// What single GPUs were measured at, as far as predicted_seconds() has something to compare it
/// with.
class DeviceSubject : public FitSubject {
 public:
  /// `measurement`: its results alone that can be predicted.
  explicit DeviceSubject(calibration::Measurement measurement)
      : measurement_(std::move(measurement)) {}

  [[nodiscard]] tl::expected<std::vector<Observation>, input::Diagnostics> observe(
      const Library& library) const override;

 private:
  calibration::Measurement measurement_;
};

}  // namespace vgsim::scenario
