#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "topology/machine/inventory.hpp"

namespace vgsim::topology::inventory {

/// The GPUs of a host in the order of NVML: by index if all have one, else by bus id.
[[nodiscard]] std::vector<const Device*> gpus_in_order(const Inventory& host);
[[nodiscard]] std::vector<Device*> gpus_in_order(Inventory& host);

/// The NICs of a host by NCCL's numbers; those without one follow in the order of bus ids.
[[nodiscard]] std::vector<const Device*> nics_in_order(const Inventory& host);

/// Whether a port's name can be the name of its NIC: a plain name that is not used for other kinds
/// of parts or for NICs without a name.
[[nodiscard]] bool is_free_nic_name(const std::string& name);

/// The names of GPUs and NICs in a host built from the inventory: "gpu0" in the order of
/// gpus_in_order(); for a NIC the name of its first port if that is plain and unique, else "nic"
/// and its index in nics_in_order().
[[nodiscard]] std::map<const Device*, std::string> built_names(const Inventory& host);

/// A device with its name and parent in a topology file.
struct NamedDevice {
  std::string name;   ///< unique in its host: "gpu0", "mlx5_0", "switch3"
  std::string under;  ///< name of a device or of a NUMA node; empty: unknown place
  const Device* device = nullptr;
  std::optional<std::size_t> numa_node;  ///< index into Inventory::numa_nodes
  bool without_pcie = false;             ///< see NumaNode::without_pcie
};

/// "numa0" for the first of Inventory::numa_nodes.
[[nodiscard]] std::string numa_node_name(std::size_t index);

/// All devices in the order of for_each_device(). GPUs and NICs have the names of built_names(),
/// other devices are numbered by kind. The devices must outlive the result.
[[nodiscard]] std::vector<NamedDevice> name_devices(const Inventory& host);

}  // namespace vgsim::topology::inventory
