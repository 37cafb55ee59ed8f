#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sim/network.hpp"
#include "sim/task_graph.hpp"

namespace vgsim {

/// The routes of a network without redundant resources.
///
/// Two resources are twins when they have the same capacity at all times and every route crosses
/// both with the same coefficient, or neither. Their equations are equal, so they saturate
/// together. Of twins the lowest id is kept, which is the one that a flow reports as its limit. A
/// ring through thousands of equal hosts keeps the crossings of one.
///
/// Long routes also have a core: the crossings that remain when only long routes are considered.
/// The core replaces the route while no active flow of a short route crosses a resource that a core
/// omits. Such a flow invalidates the reduction; without it, an omitted resource carries the same
/// load as its kept twin.
class ReducedRoutes {
 public:
  explicit ReducedRoutes(const Network& network);

  /// The network's routes, reduced, under their own ids, followed by the cores.
  [[nodiscard]] const RouteTable& routes() const { return routes_; }
  /// The core of a long route; nothing for a short one.
  [[nodiscard]] std::optional<RouteId> core(RouteId route) const {
    return cores_[static_cast<std::size_t>(route)];
  }
  /// Whether flows on the route invalidate the cores.
  [[nodiscard]] bool invalidates_reduction(RouteId route) const {
    return invalidating_[static_cast<std::size_t>(route)];
  }

 private:
  RouteTable routes_;
  std::vector<std::optional<RouteId>> cores_;  ///< by RouteId of the network
  std::vector<bool> invalidating_;             ///< by RouteId of the network
};

/// The routes of active flows: cores, while no active flow invalidates the reduction.
class ActiveRoutes {
 public:
  explicit ActiveRoutes(const Network& network) : reduced_(network) {}

  [[nodiscard]] const RouteTable& routes() const { return reduced_.routes(); }

  /// The route on which a task's flow begins. The first flow that invalidates the reduction moves
  /// all active flows back to their full routes: calls move_back(task) for each.
  template <class MoveBack>
  [[nodiscard]] RouteId begin(TaskId task, RouteId route, MoveBack move_back) {
    if (reduced_.invalidates_reduction(route) && invalidating_flows_++ == 0) {
      for (const TaskId other : on_cores_) move_back(other);
      on_cores_.clear();
    }
    const auto core = reduced_.core(route);
    if (!core || invalidating_flows_ > 0) return route;
    on_cores_.push_back(task);
    return *core;
  }

  void end(TaskId task, RouteId route) {
    if (reduced_.invalidates_reduction(route)) --invalidating_flows_;
    if (reduced_.core(route)) std::erase(on_cores_, task);
  }

 private:
  ReducedRoutes reduced_;
  std::vector<TaskId> on_cores_;  ///< whose active flows are on the core of their route
  std::size_t invalidating_flows_ = 0;
};

}  // namespace vgsim
