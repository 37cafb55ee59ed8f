#pragma once

#include <string_view>
#include <vector>

#include "models/calibration/parameters.hpp"
#include "models/vsphere/facts/facts.hpp"
#include "models/vsphere/legality/findings.hpp"
#include "models/vsphere/placement/host_inventory.hpp"
#include "models/vsphere/vm.hpp"
#include "topology/graph/graph.hpp"

namespace vgsim::vsphere {

/// The VMs of a layout, and the inputs of their verdicts. All of it must outlive judge().
struct Judged {
  const topology::Topology& topology;
  const std::vector<HostInventory>& hosts;  ///< by index into topology.hosts
  const std::vector<VirtualMachine>& vms;
  const Facts& facts;
  const calibration::Parameters& parameters;
  std::string_view version;  ///< of vSphere, one of Versions::words()
  ClusterSettings cluster{};
};

/// Finds the rules by which this version of vSphere refuses a VM or allows it with caveats, and the
/// operations that the VM lacks. VMs must have their devices (see assign_devices).
void judge(const Judged& layout, Findings& findings);

/// Disables features of each VM that the version, its GPUs or its settings do not support:
/// GPUDirect RDMA, NVLink, multicast, and peer-to-peer between root ports.
void restrict_guests(const Facts& facts, std::string_view version,
                     const std::vector<HostInventory>& hosts, std::vector<VirtualMachine>& vms);

}  // namespace vgsim::vsphere
