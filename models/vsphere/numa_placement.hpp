#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/calibration/parameters.hpp"
#include "models/vsphere/assignment.hpp"
#include "models/vsphere/placement/host_inventory.hpp"
#include "models/vsphere/vm.hpp"
#include "topology/graph/graph.hpp"

namespace vgsim::vsphere {

/// The part of a VM that ESXi schedules as one NUMA client, on one NUMA node.
struct NumaClient {
  std::size_t node = 0;
  std::int64_t vcpus = 0;
};

/// Sets where ESXi runs each VM and keeps its memory (VirtualMachine::numa), for VMs with a known
/// number of vCPUs or a numa.nodeAffinity. Rules, with their sources in
/// configs/vsphere/settings.json:
/// - a VM is one NUMA client while it has no more vCPUs than a node has cores (numa.vcpu.preferHT:
///   threads); else it is split evenly, in blocks of cpuid.coresPerSocket. numa.vcpu.maxPer* limit
///   the size of a client, numa.consolidate=FALSE spreads it over all nodes;
/// - clients run on the nodes of numa.nodeAffinity, else on any. ESXi does not look at devices: the
///   node is assumed to be that of the VM's devices while it has free cores, else the one with the
///   most free cores;
/// - memory is on the nodes of its clients. What a node cannot hold is on others. With
///   sched.cpu.affinity, ESXi no longer manages it, and its memory is on all nodes;
/// - the guest sees the nodes if it has several clients and at least numa.vcpu.min vCPUs (9), but
///   not with CPU hot add.
///
/// Returns assumptions about VMs.
[[nodiscard]] std::vector<Assumption> place_on_numa_nodes(
    const topology::Topology& topology, const std::vector<HostInventory>& hosts,
    std::vector<VirtualMachine>& vms, const calibration::Parameters& parameters);

/// The VM's clients on a host with `nodes` NUMA nodes of `cores` cores, before they get their
/// nodes: the number of vCPUs of each.
[[nodiscard]] std::vector<std::int64_t> numa_clients(const VmSettings& settings, std::size_t nodes,
                                                     std::optional<std::int64_t> cores);

/// The NUMA node of a device, as an index into Host::sockets.
[[nodiscard]] std::size_t node_of_device(const topology::Topology& topology,
                                         const topology::Host& host, topology::Vertex device);

/// Cores' worth of work of `threads` busy threads on `cores` cores: those beyond the first of each
/// core add `second_thread` of a core.
[[nodiscard]] double work_of_threads(double threads, double cores, double second_thread);

}  // namespace vgsim::vsphere
