#pragma once

#include <string>

#include "models/calibration/measurement.hpp"

namespace vgsim::cli {

/// A measurement as tables: GPUs, copies, kernels, training steps, collectives; and omitted
/// measurements by reason.
[[nodiscard]] std::string measurement_text(const calibration::Measurement& measurement);

}  // namespace vgsim::cli
