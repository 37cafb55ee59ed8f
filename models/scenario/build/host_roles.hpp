#pragma once

#include <cstddef>
#include <vector>

#include "models/collectives/nccl/decision.hpp"

namespace vgsim::scenario {

/// Role of each host or node, as numbers: equal roles have equal numbers.
using Roles = std::vector<std::vector<int>>;

/// Role of each node of a communicator between nodes: its neighbours in the ring and in both binary
/// trees, and which of two NICs it exchanges with the adjacent nodes. Traffic to a neighbour in the
/// same host takes a different path, so such a neighbour counts by its index among the nodes of the
/// host. `host_of_node`: the host of the cluster of each node.
[[nodiscard]] Roles roles_of_nodes(const collectives::nccl::Decision& decision,
                                   const std::vector<std::size_t>& host_of_node);

/// Numbers equal roles from 0, in order of first use.
[[nodiscard]] std::vector<std::size_t> numbered(const Roles& roles);

}  // namespace vgsim::scenario
