#pragma once

#include <string>
#include <vector>

#include "topology/graph/graph.hpp"
#include "topology/machine/host_build.hpp"
#include "topology/machine/host_tree.hpp"

namespace vgsim::topology::inventory {

/// A NIC to add. Either `device` is set, or the NUMA node that it is connected to.
struct PlannedNic {
  HostNic nic;
  std::string model;  ///< catalogue name, empty if unknown
  const PlannedDevice* device = nullptr;
  std::size_t numa_node = 0;
};

/// A card of a NUMA node without a PCIe position.
struct NicWithoutPcie {
  const Device* nic = nullptr;
  std::size_t numa_node = 0;
};

/// The NICs of the host in the order of NCCL's numbers; those without one follow in the order of
/// bus ids. Each has a unique name.
///
/// Rate: that of a model named in the completion, else the sum of the port rates, else the model's,
/// else the largest usual Ethernet rate that fits the PCIe link. Payload share and latency: those
/// of the model or of the catalogue NIC with the nearest rate. The same ports under several NUMA
/// nodes, as in containers, are one NIC.
[[nodiscard]] std::vector<PlannedNic> plan_nics(const std::vector<const PlannedDevice*>& devices,
                                                const std::vector<NicWithoutPcie>& without_pcie,
                                                HostBuild& build);

}  // namespace vgsim::topology::inventory
