#pragma once

#include "models/collectives/nccl/machine.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::collectives::nccl {

/// The machine that NCCL would read from this topology file (NCCL_TOPO_FILE). If no GPU has a rank,
/// ranks are assigned in file order; else GPUs without a rank stay without.
[[nodiscard]] Machine machine_of_inventory(const topology::inventory::Inventory& host);

}  // namespace vgsim::collectives::nccl
