#pragma once

#include "models/collectives/nccl/constants.hpp"
#include "topology/input/value.hpp"

namespace vgsim::collectives::nccl {

/// The constants of a value that matches release_values_shape(), without their version.
[[nodiscard]] Constants read_constants(const input::Value& values);

}  // namespace vgsim::collectives::nccl
