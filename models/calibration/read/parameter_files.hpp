#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/calibration/parameters.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/source_file.hpp"
#include "topology/input/value.hpp"

namespace vgsim::calibration {

/// The shape of a file in `configs/parameters/`, and of its "parameters" alone.
[[nodiscard]] input::Shape parameters_shape();
[[nodiscard]] input::Shape parameter_values_shape();

/// Reads parameter files. Errors: what does not fit the shape, an unknown source, a name given
/// twice, a name that the program needs and no file gives.
[[nodiscard]] tl::expected<Parameters, input::Diagnostics> read_parameters(
    const std::vector<input::SourcePtr>& files);

/// What an entry of parameter_values_shape() says, but for its source.
[[nodiscard]] Parameter read_parameter(const std::string& name, const input::Value& entry);

}  // namespace vgsim::calibration
