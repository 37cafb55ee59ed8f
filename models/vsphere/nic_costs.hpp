#pragma once

#include <string>
#include <vector>

#include "models/calibration/parameters.hpp"
#include "models/vsphere/placement/host_inventory.hpp"
#include "models/vsphere/vm.hpp"
#include "topology/graph/graph.hpp"

namespace vgsim::vsphere {

/// Fills in what the NICs of VMs cost besides their ports (VmNic::costs), by kind:
/// - TCP takes core time of the guest for each byte, whatever the NIC;
/// - vmxnet3 besides takes core time of the hypervisor's virtual switch, which a DPU takes off the
///   host, and delays messages;
/// - PVRDMA delays messages, and a virtual function of SR-IOV a little; both carry somewhat less
///   than the port.
///
/// Returns what was assumed about each VM, from the parameters.
[[nodiscard]] std::vector<std::vector<std::string>> add_nic_costs(
    topology::Topology& topology, const std::vector<HostInventory>& hosts,
    std::vector<VirtualMachine>& vms, const calibration::Parameters& parameters);

}  // namespace vgsim::vsphere
