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
/// vCPUs that share cores with others of their VM count as second threads
/// (NumaPlacement::cores).
///
/// `neighbours`: busy cores of others, by host. Threads beyond the cores of a host add
/// second_thread_share of a core each.
///
/// Returns the assumptions about cores, by host of the topology; empty where there is none.
[[nodiscard]] std::vector<std::string> add_cpu_budgets(topology::Topology& topology,
                                                       const std::vector<HostInventory>& hosts,
                                                       std::vector<VirtualMachine>& vms,
                                                       const std::vector<double>& neighbours,
                                                       bool trains,
                                                       const calibration::Parameters& parameters);

}  // namespace vgsim::vsphere
