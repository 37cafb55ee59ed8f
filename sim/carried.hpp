#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/network.hpp"
#include "sim/ratio.hpp"
#include "sim/ratio_sum.hpp"
#include "sim/task_graph.hpp"

namespace vgsim {

/// The amount that each resource carries for given amounts by route: the sum of amount x
/// coefficient.
[[nodiscard]] std::vector<Ratio> carried_over(const Network& network,
                                              const std::vector<RatioSum>& amount_by_route);

/// What the flows of a graph carry, each as often as its task's number of rounds (by TaskId) says.
[[nodiscard]] std::vector<Ratio> carried_over(const Network& network, const TaskGraph& graph,
                                              std::span<const std::uint64_t> rounds);

}  // namespace vgsim
