#pragma once

#include "topology/input/shapes/shape.hpp"

namespace vgsim::scenario {

/// Shape of "expect" in a scenario: the expected results of its layouts. See expectations.hpp.
[[nodiscard]] input::Shape expect_shape();

}  // namespace vgsim::scenario
