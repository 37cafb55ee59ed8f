#pragma once

#include "topology/machine/inventory.hpp"

namespace vgsim::topology::inventory {

/// Infers facts from the stated ones, each with a sentence in Inventory::assumed: a PCIe tree for
/// hosts with only a matrix of path classes, the place of GPUs and NICs outside the tree, NVLinks
/// and NVSwitches from the matrix. Warns where the matrix and the tree contradict each other.
void complete(Inventory& host);

}  // namespace vgsim::topology::inventory
