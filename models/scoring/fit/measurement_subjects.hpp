#pragma once

#include <memory>
#include <vector>

#include "models/calibration/measurement.hpp"
#include "models/scoring/fit/observation.hpp"

namespace vgsim::scenario {

/// What a measurement says about the model, by what predicts it.
struct MeasurementSubjects {
  std::vector<std::unique_ptr<FitSubject>> subjects;
  std::vector<calibration::LeftOut> left_out;
};

/// Copies and kernels of single GPUs (predicted_seconds()); training steps, as jobs on one GPU;
/// collectives, as cases on a host that NCCL's XML in the measurement describes.
[[nodiscard]] MeasurementSubjects subjects_of(const calibration::Measurement& measurement,
                                              const Library& library);

}  // namespace vgsim::scenario
