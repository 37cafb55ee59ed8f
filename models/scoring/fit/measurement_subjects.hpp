#pragma once

#include <memory>
#include <vector>

#include "models/calibration/measurement.hpp"
#include "models/scoring/fit/observation.hpp"

namespace vgsim::scenario {

/// The subjects of a measurement by the kind of prediction.
struct MeasurementSubjects {
  std::vector<std::unique_ptr<FitSubject>> subjects;
  std::vector<calibration::LeftOut> left_out;
};

/// Copies and kernels of single GPUs (predicted_seconds()); training steps, as jobs on one GPU;
/// collectives, as cases on a host described by NCCL's XML in the measurement.
[[nodiscard]] MeasurementSubjects subjects_of(const calibration::Measurement& measurement,
                                              const Library& library);

}  // namespace vgsim::scenario
