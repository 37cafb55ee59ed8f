#pragma once

#include "topology/input/shapes/shape.hpp"

namespace vgsim::scenario {

/// Shape of the output of `vgsim run --format json` (result_json.hpp), published as its schema.
/// Figures come from figures(), with their meaning and unit.
[[nodiscard]] input::Shape result_shape();

}  // namespace vgsim::scenario
