#pragma once

#include "topology/machine/inventory.hpp"

namespace vgsim::topology::inventory {

/// Infers what follows from what the files of a host tell, each with a sentence in
/// Inventory::assumed: a PCIe tree for hosts of which only a matrix of path classes is known, the
/// place of GPUs and NICs outside the tree, NVLinks and NVSwitches from the matrix. Warnings tell
/// where the matrix and the tree contradict each other.
void complete(Inventory& host);

}  // namespace vgsim::topology::inventory
