#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/calibration/parameters.hpp"
#include "models/vsphere/placement/host_inventory.hpp"
#include "models/vsphere/vm.hpp"
#include "topology/graph/graph.hpp"

namespace vgsim::vsphere {

/// What holds TCP over a NIC back, besides the port.
struct TcpLimits {
  BytesPerSecond connection{};            ///< of one connection
  std::optional<BytesPerSecond> adapter;  ///< of an emulated adapter
  double cores_per_gbit = 0.0;            ///< of the guest, for a Gbit/s
};

[[nodiscard]] TcpLimits tcp_limits(const NicMode& mode, const calibration::Parameters& parameters);

/// What so many connections carry in one direction, through a port of that payload rate (none where
/// both VMs are on one virtual switch) and with so many vCPUs where that is known.
[[nodiscard]] BytesPerSecond tcp_rate(const TcpLimits& limits, int connections,
                                      std::optional<BytesPerSecond> port,
                                      std::optional<std::int64_t> vcpus);

/// Fills in what the NICs of VMs cost besides their ports (VmNic::costs), by kind:
/// - TCP takes core time of the guest for each byte, whatever the NIC, and one connection is held
///   back by the core that it runs on;
/// - vmxnet3 besides takes core time of the hypervisor's virtual switch, which a DPU takes off the
///   host, delays messages, and its adapter has a rate of its own;
/// - PVRDMA delays messages, a virtual function of SR-IOV and Enhanced DirectPath a little; they
///   carry somewhat less than the port.
///
/// Returns what was assumed about each VM, from the parameters.
[[nodiscard]] std::vector<std::vector<std::string>> add_nic_costs(
    topology::Topology& topology, const std::vector<HostInventory>& hosts,
    std::vector<VirtualMachine>& vms, const calibration::Parameters& parameters);

}  // namespace vgsim::vsphere
