#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/calibration/parameters.hpp"
#include "models/vsphere/placement/host_inventory.hpp"
#include "models/vsphere/vm.hpp"
#include "topology/graph/graph.hpp"

namespace vgsim::vsphere {

/// Work of CPUs is counted in picoseconds of one core: what a core does in a second.
inline constexpr std::int64_t kCorePicosecondsPerSecond = 1'000'000'000'000;

/// Counts the cores of every host and the vCPUs of every VM that says how many it has, as resources
/// (LinkKind::kCpu) that input pipelines and network stacks share. In training, each GPU keeps a
/// core busy that launches its kernels and drives its network; at least a quarter of the cores is
/// left to the rest.
///
/// A VM with more vCPUs than a NUMA node has cores, whose guest does not see the nodes, keeps its
/// input in the memory of all of them (VirtualMachine::spans_memory).
///
/// Returns what had to be assumed about cores, by host of the topology; empty for nothing.
[[nodiscard]] std::vector<std::string> add_cpu_budgets(topology::Topology& topology,
                                                       const std::vector<HostInventory>& hosts,
                                                       std::vector<VirtualMachine>& vms,
                                                       bool trains,
                                                       const calibration::Parameters& parameters);

}  // namespace vgsim::vsphere
