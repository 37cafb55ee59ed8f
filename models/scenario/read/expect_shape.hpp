#pragma once

#include "topology/input/shapes/shape.hpp"

namespace vgsim::scenario {

/// What stands under "expect" in a scenario: what must hold of its layouts. See expectations.hpp.
[[nodiscard]] input::Shape expect_shape();

}  // namespace vgsim::scenario
