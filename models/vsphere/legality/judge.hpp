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

/// The VMs of a layout with what they are judged by. All of it must outlive the judging.
struct Judged {
  const topology::Topology& topology;
  const std::vector<HostInventory>& hosts;  ///< by index into topology.hosts
  const std::vector<VirtualMachine>& vms;
  const Facts& facts;
  const calibration::Parameters& parameters;
  std::string_view version;  ///< of vSphere, one of Versions::words()
};

/// What this version of vSphere refuses of each VM, what it accepts at a price, and which
/// operations the VM loses. VMs have their devices already (see assign_devices).
void judge(const Judged& layout, Findings& findings);

/// Switches off in each VM what the version, its GPUs and its settings do not let the guest have:
/// GPUDirect RDMA, NVLink, multicast, and peer-to-peer between root ports.
void restrict_guests(const Facts& facts, std::string_view version,
                     const std::vector<HostInventory>& hosts, std::vector<VirtualMachine>& vms);

}  // namespace vgsim::vsphere
