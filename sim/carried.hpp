#pragma once

#include <vector>

#include "sim/network.hpp"
#include "sim/ratio.hpp"
#include "sim/ratio_sum.hpp"

namespace vgsim {

/// The amount that each resource carries for given amounts by route: the sum of amount x
/// coefficient.
[[nodiscard]] std::vector<Ratio> carried_over(const Network& network,
                                              const std::vector<RatioSum>& amount_by_route);

}  // namespace vgsim
