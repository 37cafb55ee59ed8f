#pragma once

#include <cstdint>
#include <vector>

#include "topology/catalog/parts.hpp"
#include "topology/machine/host_build.hpp"

namespace vgsim::topology::inventory {

/// The sockets of the host, all of one CPU model, in the order in which they are added.
struct PlannedSockets {
  /// The nodes of each number; none for a node that only pads a socket.
  std::vector<std::vector<const NumaNode*>> nodes;
  std::int64_t nodes_per_socket = 1;
  const CpuModel* cpu = nullptr;  ///< null after an error
};

/// NUMA nodes in the order of their numbers; -1 and missing numbers count as 0.
///
/// Sockets are those of the inventory; NCCL files have none. Otherwise up to two nodes are one
/// socket each, and more are two sockets, split in the middle of the numbers: 1, 3, 5, 7 becomes 1,
/// 3 and 5, 7. The CPU is the one with that family and model number, else the nearest of the same
/// vendor.
[[nodiscard]] PlannedSockets plan_sockets(HostBuild& build);

}  // namespace vgsim::topology::inventory
