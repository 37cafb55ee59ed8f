#pragma once

#include <vector>

#include "sim/network.hpp"
#include "sim/ratio.hpp"
#include "sim/ratio_sum.hpp"

namespace vgsim {

/// What each resource carries when so much goes over each route: the sum of amount x coefficient.
[[nodiscard]] std::vector<Ratio> carried_over(const Network& network,
                                              const std::vector<RatioSum>& amount_by_route);

}  // namespace vgsim
