#pragma once

#include "topology/input/shapes/shape.hpp"

namespace vgsim::cli {

/// What the commands write with `--format json`, for those who read it.
[[nodiscard]] input::Shape check_shape();
[[nodiscard]] input::Shape comparison_shape();
[[nodiscard]] input::Shape explanation_shape();

}  // namespace vgsim::cli
