#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "topology/catalog/parts.hpp"

namespace vgsim::topology {

/// A server as a setting of the BIOS makes it: NPS of AMD, sub-NUMA clustering of Intel.
struct NumaSplit {
  ServerModel server;
  std::vector<std::string> guessed;  ///< root complexes whose NUMA node is not known, in order
};

/// The server with so many NUMA nodes in each socket.
///
/// A root complex goes to the node that its quadrant is in, or else to a part of the node that the
/// catalogue puts it into. Where neither tells, those that share what is known are spread over its
/// nodes in the order of their names: of four in a socket with two nodes, the first two are in the
/// first.
[[nodiscard]] NumaSplit with_numa_nodes(ServerModel server, std::int64_t nodes_per_socket);

}  // namespace vgsim::topology
