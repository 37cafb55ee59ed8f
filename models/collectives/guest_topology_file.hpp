#pragma once

#include <string>
#include <vector>

#include "models/vsphere/vm.hpp"
#include "topology/catalog/catalog.hpp"
#include "topology/graph/graph.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::collectives {

/// What NCCL in a guest should be told of its machine (NCCL_TOPO_FILE), so that it knows the
/// switches and NUMA nodes below its devices although the hypervisor hides them.
struct GuestTopologyFile {
  topology::inventory::Inventory machine;
  /// The devices in the guest, GPUs first, with the names that they have in the host.
  std::vector<std::string> devices;
  std::vector<std::string> bus_ids;  ///< by device, as the file has them
};

/// The host's PCIe tree as far as the guest's devices hang on it, whatever the guest is told now.
/// NVSwitches are out of a guest's sight. Speeds of links are those that NCCL computes with.
///
/// `bus_ids`: addresses of the devices in the guest, normalized, by which NCCL finds them; where
/// there are fewer than devices, the others get made-up ones.
[[nodiscard]] GuestTopologyFile guest_topology_file(const topology::Topology& topology,
                                                    const topology::Catalog& catalog,
                                                    const vsphere::VirtualMachine& vm,
                                                    const std::vector<std::string>& bus_ids);

}  // namespace vgsim::collectives
