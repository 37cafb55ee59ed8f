#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sim/network.hpp"

namespace vgsim {

/// The routes of a network without resources that cannot matter beside another.
///
/// Two resources are twins when they have the same capacity at all times and every route crosses
/// both, with the same coefficient, or neither. Their equations are the same, so they are full
/// together; of twins the lowest is kept, which is the one that a flow would name as its limit. A
/// ring through thousands of equal hosts is left with the crossings of one.
///
/// Long routes have a core as well: what is left when only long routes count. It stands for the
/// route as long as no flow of another route that crosses a resource left out of some core, an
/// intruder, is under way: until then such a resource carries what the one kept does.
class LeanRoutes {
 public:
  explicit LeanRoutes(const Network& network);

  /// The network's routes under their own ids, then the cores.
  [[nodiscard]] const RouteTable& routes() const { return routes_; }
  /// The core of a long route.
  [[nodiscard]] std::optional<RouteId> core(RouteId route) const {
    return cores_[static_cast<std::size_t>(route)];
  }
  [[nodiscard]] bool is_intruder(RouteId route) const {
    return intruders_[static_cast<std::size_t>(route)];
  }

 private:
  RouteTable routes_;
  std::vector<std::optional<RouteId>> cores_;  ///< by RouteId of the network
  std::vector<bool> intruders_;                ///< by RouteId of the network
};

}  // namespace vgsim
