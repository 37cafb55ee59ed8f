#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "topology/catalog/parts.hpp"

namespace vgsim::topology {

/// A server with a BIOS setting for NUMA nodes: NPS of AMD, sub-NUMA clustering of Intel.
struct NumaSplit {
  ServerModel server;
  std::vector<std::string> guessed;  ///< root complexes with an unknown NUMA node, in order
};

/// The server with `nodes_per_socket` NUMA nodes in each socket.
///
/// A root complex belongs to the node of its quadrant, or else to a part of the node in the
/// catalogue. If neither is known, root complexes with the same information are distributed over
/// its nodes in the order of their names: of four in a socket with two nodes, the first two are in
/// the first.
[[nodiscard]] NumaSplit with_numa_nodes(ServerModel server, std::int64_t nodes_per_socket);

}  // namespace vgsim::topology
