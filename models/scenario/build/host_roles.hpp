#pragma once

#include <cstddef>
#include <vector>

#include "models/collectives/nccl/decision.hpp"

namespace vgsim::scenario {

/// By host or node: what it does, in numbers that are the same for those that do the same.
using Roles = std::vector<std::vector<int>>;

/// What the nodes of a communicator do between them, by node: its neighbours in the ring and in
/// both binary trees, and which of two NICs it swaps with the nodes beside it. Traffic to a
/// neighbour in the same host takes another way than traffic to any other, so such a neighbour
/// counts by its number among the nodes of the host. `host_of_node`: the host of the cluster that
/// each is in.
[[nodiscard]] Roles roles_of_nodes(const collectives::nccl::Decision& decision,
                                   const std::vector<std::size_t>& host_of_node);

/// Numbers from 0, the same for the same roles, in order of first use.
[[nodiscard]] std::vector<std::size_t> numbered(const Roles& roles);

}  // namespace vgsim::scenario
