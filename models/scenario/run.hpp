#pragma once

#include <string>
#include <vector>

#include "models/scenario/cluster.hpp"
#include "models/scenario/result.hpp"
#include "sim/critical_path.hpp"
#include "sim/engine.hpp"

namespace vgsim::scenario {

/// Simulates and checks the answer against its physical floor.
/// Throws std::logic_error if it is below: a bug, never to be shown as a result.
[[nodiscard]] Timeline simulate_checked(const TaskGraph& graph, const Network& network);

/// Bytes that the tasks for which `counts` is true put on each resource.
template <class Predicate>
[[nodiscard]] std::vector<Exact> carried_by(const TaskGraph& graph, const Network& network,
                                            Predicate counts) {
  std::vector<Exact> amount(network.routes.size());
  for (const Task& task : graph.tasks()) {
    if (!task.flow || !counts(task)) continue;
    amount[static_cast<std::size_t>(task.flow->route)] += task.flow->amount;
  }
  std::vector<Exact> carried(network.resources.size());
  for (std::size_t r = 0; r < amount.size(); ++r) {
    for (const Crossing& c : network.routes.crossings(static_cast<RouteId>(r))) {
      carried[static_cast<std::size_t>(c.resource)] += amount[r] * c.coefficient;
    }
  }
  return carried;
}

/// What each link carried in a time span, busiest first, idle ones left out.
[[nodiscard]] std::vector<LinkUse> link_uses(const Cluster& cluster,
                                             const std::vector<Exact>& carried, SimTime span);

/// The link that a path spent the longest time on; nothing if no link ever held it back.
[[nodiscard]] std::optional<Bottleneck> bottleneck_of(const Cluster& cluster,
                                                      const std::vector<PathSegment>& path,
                                                      const TaskGraph& graph, SimTime begin,
                                                      SimTime end);

}  // namespace vgsim::scenario
