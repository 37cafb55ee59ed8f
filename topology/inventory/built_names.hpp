#pragma once

#include <map>
#include <string>
#include <vector>

#include "topology/inventory/inventory.hpp"

namespace vgsim::topology::inventory {

/// The GPUs of a host as NVML numbers them: by their index where all have one, else by bus id.
[[nodiscard]] std::vector<const Device*> gpus_in_order(const Inventory& host);
[[nodiscard]] std::vector<Device*> gpus_in_order(Inventory& host);

/// The NICs of a host: by NCCL's numbers, those without one after them, then by bus id.
[[nodiscard]] std::vector<const Device*> nics_in_order(const Inventory& host);

/// Whether a port's name can be that of its NIC in a host: it is plain, and none that is given to
/// other parts, or to NICs without a name.
[[nodiscard]] bool is_free_nic_name(const std::string& name);

/// The names that GPUs and NICs get in a host that is built from the inventory: "gpu0" in the order
/// of gpus_in_order(); a NIC's are those of its first port where it has a plain one of its own,
/// else "nic" and its place in nics_in_order().
[[nodiscard]] std::map<const Device*, std::string> built_names(const Inventory& host);

}  // namespace vgsim::topology::inventory
