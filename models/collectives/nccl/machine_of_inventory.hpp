#pragma once

#include "models/collectives/nccl/machine.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::collectives::nccl {

/// What NCCL would make of the machine if this were its topology file (NCCL_TOPO_FILE). GPUs
/// without a rank get one in the order of the file if none has one; else they stay without.
[[nodiscard]] Machine machine_of_inventory(const topology::inventory::Inventory& host);

}  // namespace vgsim::collectives::nccl
