#pragma once

#include <string>
#include <vector>

#include "topology/graph/graph.hpp"
#include "topology/machine/host_build.hpp"
#include "topology/machine/host_tree.hpp"

namespace vgsim::topology::inventory {

/// A NIC to be added. Either `device` is set, or the NUMA node that it is reached from.
struct PlannedNic {
  HostNic nic;
  std::string model;  ///< catalogue name, empty if unknown
  const PlannedDevice* device = nullptr;
  std::size_t numa_node = 0;
};

/// A card of a NUMA node without a place on the PCIe bus.
struct NicWithoutPcie {
  const Device* nic = nullptr;
  std::size_t numa_node = 0;
};

/// The NICs of the host in the order of NCCL's numbers, those without one after them by bus
/// id, each with a name of its own.
///
/// Rate: the sum of the ports' rates; a model named in the completion goes before it; without
/// either the model's, or the largest of the usual Ethernet rates that fits the PCIe link.
/// Payload share and latency: the model's, or those of the catalogue's NIC of nearest rate. The
/// same ports listed under several NUMA nodes, as containers do, are one NIC.
[[nodiscard]] std::vector<PlannedNic> plan_nics(const std::vector<const PlannedDevice*>& devices,
                                                const std::vector<NicWithoutPcie>& without_pcie,
                                                HostBuild& build);

}  // namespace vgsim::topology::inventory
