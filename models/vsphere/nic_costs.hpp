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

/// Limits of TCP over a NIC, besides the port. Source: "tcp_*" and "vmxnet3_*" of
/// configs/parameters/vsphere.json.
struct TcpLimits {
  BytesPerSecond connection{};            ///< payload rate of one connection
  std::optional<BytesPerSecond> adapter;  ///< payload rate of an emulated adapter
  double cores_per_gbit = 0.0;            ///< vCPUs of the guest per Gbit/s
};

[[nodiscard]] TcpLimits tcp_limits(const NicMode& mode, const calibration::Parameters& parameters);

/// The payload rate of `connections` TCP connections (at least 1) together, in one direction.
/// `port`: payload rate of the port, empty if both VMs are on one virtual switch. `vcpus`: of the
/// guest, empty if unknown.
[[nodiscard]] BytesPerSecond tcp_rate(const TcpLimits& limits, int connections,
                                      std::optional<BytesPerSecond> port,
                                      std::optional<std::int64_t> vcpus);

/// Sets the costs of the VMs' NICs besides their ports (VmNic::costs), by kind:
/// - TCP uses core time of the guest for each byte on every NIC; the core of a connection limits
/// its
///   rate;
/// - vmxnet3 also uses core time of the hypervisor's virtual switch, which a DPU offloads from the
///   host; it delays messages, and its adapter has a maximum rate;
/// - PVRDMA delays messages; SR-IOV virtual functions and Enhanced DirectPath delay them slightly.
///   All three carry slightly less than the port.
///
/// Input that reaches the host over a NIC costs core time too (VirtualMachine::storage): of the VM
/// that has this NIC as TCP, else of the hypervisor, which then reads a datastore.
///
/// Returns the assumptions about each VM, from the parameters.
[[nodiscard]] std::vector<std::vector<std::string>> add_nic_costs(
    topology::Topology& topology, const std::vector<HostInventory>& hosts,
    std::vector<VirtualMachine>& vms, const calibration::Parameters& parameters);

}  // namespace vgsim::vsphere
