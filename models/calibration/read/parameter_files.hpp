#pragma once

#include <map>
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

/// Parameters by name with nothing but their values, as "33 us" or 0.5.
[[nodiscard]] input::Shape parameter_amounts_shape();
/// What such an object says: times in picoseconds, rates in bytes per second, sizes in bytes.
[[nodiscard]] std::map<std::string, double> read_parameter_amounts(const input::Value& amounts);

/// Reads parameter files. Errors: what does not fit the shape, an unknown source, a name given
/// twice, a name that the program needs and no file gives.
[[nodiscard]] tl::expected<Parameters, input::Diagnostics> read_parameters(
    const std::vector<input::SourcePtr>& files);

/// What an entry of parameter_values_shape() says, but for its source.
[[nodiscard]] Parameter read_parameter(const std::string& name, const input::Value& entry);

/// An error where a value does not lie in its interval, or that is upside down.
void check_interval(const Uncertain& quantity, const input::Value& entry,
                    input::Diagnostics& diagnostics);

}  // namespace vgsim::calibration
