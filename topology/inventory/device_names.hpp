#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "topology/inventory/inventory.hpp"

namespace vgsim::topology::inventory {

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
