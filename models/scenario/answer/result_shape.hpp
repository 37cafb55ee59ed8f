#pragma once

#include "topology/input/shapes/shape.hpp"

namespace vgsim::scenario {

/// What `vgsim run --format json` writes (result_json.hpp): its schema is for those who read it.
/// Figures come from figures(), with their meaning and unit.
[[nodiscard]] input::Shape result_shape();

}  // namespace vgsim::scenario
