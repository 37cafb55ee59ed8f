#pragma once

#include <string>

#include "models/calibration/measurement.hpp"

namespace vgsim::cli {

/// What was measured, as tables: GPUs, copies, kernels, training steps, collectives; and what was
/// left out, by reason.
[[nodiscard]] std::string measurement_text(const calibration::Measurement& measurement);

}  // namespace vgsim::cli
