#pragma once

#include <map>
#include <string>
#include <vector>

#include "topology/inventory/inventory.hpp"

namespace vgsim::topology::inventory {

/// The names that GPUs and NICs get in a host that is built from the inventory: "gpu0" in the order
/// of gpus_in_order(); a NIC's are those of its first port where it has a plain one of its own,
/// else "nic" and its place among all NICs, in the order of NCCL's numbers, then of bus ids.
[[nodiscard]] std::map<const Device*, std::string> built_names(const Inventory& host);

/// The NICs in that order.
[[nodiscard]] std::vector<const Device*> nics_in_order(const Inventory& host);

}  // namespace vgsim::topology::inventory
