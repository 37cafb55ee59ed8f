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

/// The shape of a file in `configs/parameters/`, and of its "parameters" object.
[[nodiscard]] input::Shape parameters_shape();
[[nodiscard]] input::Shape parameter_values_shape();

/// Parameters by name with values only, such as "33 us" or 0.5.
[[nodiscard]] input::Shape parameter_amounts_shape();
/// Reads such an object: times in picoseconds, rates in bytes/s, sizes in bytes.
[[nodiscard]] std::map<std::string, double> read_parameter_amounts(const input::Value& amounts);

/// Reads parameter files. Errors: values that do not match the shape, unknown sources, duplicate
/// names, missing names that the program needs.
[[nodiscard]] tl::expected<Parameters, input::Diagnostics> read_parameters(
    const std::vector<input::SourcePtr>& files);

/// Reads an entry of parameter_values_shape() without its source.
[[nodiscard]] Parameter read_parameter(const std::string& name, const input::Value& entry);

/// Reports a value outside its interval, and an interval with low above high.
void check_interval(const Uncertain& quantity, const input::Value& entry,
                    input::Diagnostics& diagnostics);

}  // namespace vgsim::calibration
