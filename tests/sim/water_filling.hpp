#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/ratio.hpp"

namespace vgsim {

/// A max-min problem laid out flat, with resources and flows numbered from 0.
struct FillProblem {
  struct Crossing {
    std::size_t resource;
    std::int64_t coefficient;  ///< positive; times the weight of its flow it fits 64 bits
  };
  struct Flow {
    std::size_t first_crossing;  ///< its crossings are [first_crossing, end_crossing)
    std::size_t end_crossing;
    std::int64_t weight;             ///< positive
    std::optional<Ratio> cap_level;  ///< rate cap over weight; needed when it crosses nothing
  };

  std::vector<Ratio> free;  ///< by resource: the capacity to share out, not negative
  std::vector<Crossing> crossings;
  std::vector<Flow> flows;
};

/// Solves the problem and returns each flow's level (rate over weight). Afterwards `free` holds
/// what is left of each resource.
///
/// Water rises in all flows at once. Let D_r be the sum of coefficient x weight over the flows
/// on r that still rise, and F_r what is free there: r would be full at the level F_r / D_r, and
/// counts as full at that level shortened (sim/ratio.hpp). The lowest of all these levels is where
/// the water first meets an obstacle. If a flow's own cap
/// lies at or below it, the flows with the lowest cap stop there; else those on all resources that
/// fill up at that level do. F and D lose what has stopped, and the rest rises on. Each
/// step is exact in the rationals, so ties are ties and the outcome depends on no order.
///
/// Throws OverflowError when a D_r leaves 64 bits.
[[nodiscard]] std::vector<Ratio> water_fill(FillProblem& problem);

}  // namespace vgsim
