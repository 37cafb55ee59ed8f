#pragma once

#include "topology/input/shapes/shape.hpp"

namespace vgsim::cli {

/// Shapes of the output of `--format json`.
[[nodiscard]] input::Shape check_shape();
[[nodiscard]] input::Shape comparison_shape();
[[nodiscard]] input::Shape explanation_shape();

}  // namespace vgsim::cli
