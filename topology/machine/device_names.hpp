#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "topology/machine/inventory.hpp"

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

/// A device with the name that it has in a topology file, and what it hangs on.
struct NamedDevice {
  std::string name;   ///< unique in its host: "gpu0", "mlx5_0", "switch3"
  std::string under;  ///< name of a device or of a NUMA node; empty: its place is not told
  const Device* device = nullptr;
  std::optional<std::size_t> numa_node;  ///< index into Inventory::numa_nodes
  bool without_pcie = false;             ///< see NumaNode::without_pcie
};

/// "numa0" for the first of Inventory::numa_nodes.
[[nodiscard]] std::string numa_node_name(std::size_t index);

/// All devices in the order of for_each_device(). GPUs and NICs have the names of built_names(),
/// everything else is counted by kind. The devices must outlive the answer.
[[nodiscard]] std::vector<NamedDevice> name_devices(const Inventory& host);

}  // namespace vgsim::topology::inventory
