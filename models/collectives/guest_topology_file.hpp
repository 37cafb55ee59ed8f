#pragma once

#include <string>
#include <vector>

#include "models/vsphere/vm.hpp"
#include "topology/catalog/catalog.hpp"
#include "topology/graph/graph.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::collectives {

/// The content of NCCL_TOPO_FILE for a guest: the switches and NUMA nodes of its devices, which the
/// hypervisor hides.
struct GuestTopologyFile {
  topology::inventory::Inventory machine;
  /// The devices in the guest, GPUs first, with their names in the host.
  std::vector<std::string> devices;
  std::vector<std::string> bus_ids;  ///< by device, as in the file
};

/// The part of the host's PCIe tree above the guest's devices, whether or not the guest has a
/// topology file. A guest cannot use NVSwitches, so they are omitted. Link speeds are those that
/// NCCL computes with.
///
/// `bus_ids`: normalized addresses of the devices in the guest, by which NCCL finds them. Missing
/// ones are generated.
[[nodiscard]] GuestTopologyFile guest_topology_file(const topology::Topology& topology,
                                                    const topology::Catalog& catalog,
                                                    const vsphere::VirtualMachine& vm,
                                                    const std::vector<std::string>& bus_ids);

}  // namespace vgsim::collectives
