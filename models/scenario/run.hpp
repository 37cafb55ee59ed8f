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
  std::vector<Exact> carried(network.resources.size());
  for (const Task& task : graph.tasks()) {
    if (!task.flow || !counts(task)) continue;
    for (const Crossing& c : network.routes.crossings(task.flow->route)) {
      carried[static_cast<std::size_t>(c.resource)] += task.flow->amount * c.coefficient;
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
