#pragma once

#include "sim/network.hpp"

namespace vgsim {

/// The same routes without resources that can never matter beside another.
///
/// Two resources are twins when they have the same capacity at all times and every route crosses
/// both, with the same coefficient, or neither. Their equations are the same, so they are full
/// together; of twins the lowest is kept, which is the one that a flow would name as its limit. A
/// ring through thousands of equal hosts is left with the crossings of one. Routes keep their ids.
[[nodiscard]] RouteTable without_twins(const Network& network);

}  // namespace vgsim
