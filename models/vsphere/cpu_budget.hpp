#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/calibration/parameters.hpp"
#include "models/vsphere/placement/host_inventory.hpp"
#include "models/vsphere/vm.hpp"
#include "topology/graph/graph.hpp"

namespace vgsim::vsphere {

/// Work of CPUs is counted in picoseconds of one core: the capacity of a core per second.
inline constexpr std::int64_t kCorePicosecondsPerSecond = 1'000'000'000'000;

/// Adds the cores of every host, and the vCPUs of every VM where their number is stated, as
/// resources (LinkKind::kCpu) that input pipelines and network stacks share. In training, each GPU
/// keeps a core busy that launches its kernels and drives its network; at least a quarter of the
/// cores remains for the rest. Source: busy_cores_per_gpu and cores_per_socket in
/// configs/parameters.
///
/// A VM with more vCPUs than a NUMA node has cores, whose guest has no vNUMA, keeps its input in
/// the memory of all nodes (VirtualMachine::spans_memory).
///
/// Returns the assumptions about cores, by host of the topology; empty where there is none.
[[nodiscard]] std::vector<std::string> add_cpu_budgets(topology::Topology& topology,
                                                       const std::vector<HostInventory>& hosts,
                                                       std::vector<VirtualMachine>& vms,
                                                       bool trains,
                                                       const calibration::Parameters& parameters);

}  // namespace vgsim::vsphere
