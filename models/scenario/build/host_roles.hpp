#pragma once

#include <cstddef>
#include <vector>

#include "models/collectives/nccl/decision.hpp"

namespace vgsim::scenario {

/// By host or node: what it does, in numbers that are the same for those that do the same.
using Roles = std::vector<std::vector<int>>;

/// Appends a node's place in the graphs between nodes: its neighbours in both binary trees, and
/// which of two NICs it swaps with the nodes beside it.
void add_role(const collectives::nccl::Decision& decision, std::size_t node,
              std::vector<int>& role);

/// Numbers from 0, the same for the same roles, in order of first use.
[[nodiscard]] std::vector<std::size_t> numbered(const Roles& roles);

}  // namespace vgsim::scenario
