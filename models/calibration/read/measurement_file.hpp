#pragma once

#include <tl/expected.hpp>

#include "models/calibration/measurement.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::calibration {

/// Reads a file of `vgsim.measurement/1`.
[[nodiscard]] input::Shape measurement_shape();

[[nodiscard]] tl::expected<Measurement, input::Diagnostics> read_measurement(
    const input::SourcePtr& file);

}  // namespace vgsim::calibration
