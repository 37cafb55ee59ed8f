#pragma once

#include "topology/input/shape.hpp"

namespace vgsim::scenario {

/// A scenario without its layouts: what one layout is after its patch.
[[nodiscard]] input::Shape layout_shape();

/// A scenario file.
[[nodiscard]] input::Shape scenario_shape();

}  // namespace vgsim::scenario
