#pragma once

#include <cstdint>
#include <vector>

#include "topology/catalog/parts.hpp"
#include "topology/machine/host_build.hpp"

namespace vgsim::topology::inventory {

/// The sockets of the host: all of one CPU model, in the order in which they are added.
struct PlannedSockets {
  /// Those of each number; none for a node that only fills up a socket.
  std::vector<std::vector<const NumaNode*>> nodes;
  std::int64_t nodes_per_socket = 1;
  const CpuModel* cpu = nullptr;  ///< null after an error
};

/// NUMA nodes in the order of their numbers, where -1 and none count as 0.
///
/// Sockets are as the inventory tells them, which NCCL's files never do. Else up to two nodes are a
/// socket each, and more are taken as two sockets, cut in the middle of the numbers: 1, 3, 5, 7 is
/// 1 and 3, 5 and 7. The CPU is the one with that family and model number, else the nearest of its
/// maker.
[[nodiscard]] PlannedSockets plan_sockets(HostBuild& build);

}  // namespace vgsim::topology::inventory
