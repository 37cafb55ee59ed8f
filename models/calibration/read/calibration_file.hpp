#pragma once

#include <tl/expected.hpp>

#include "models/calibration/calibration.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::calibration {

inline constexpr const char* kCalibrationFormat = "vgsim.calibration/1";

/// Reads a file of `configs/calibrations/`, `vgsim.calibration/1`.
[[nodiscard]] input::Shape calibration_shape();

[[nodiscard]] tl::expected<Calibration, input::Diagnostics> read_calibration(
    const input::SourcePtr& file);

}  // namespace vgsim::calibration
