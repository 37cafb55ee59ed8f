#pragma once

#include "topology/input/shape.hpp"

namespace vgsim::vsphere {

/// What a scenario says of one virtual machine.
[[nodiscard]] input::Shape vm_shape();

}  // namespace vgsim::vsphere
