#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/ratio.hpp"

namespace vgsim {

/// A max-min problem in flat arrays; resources and flows are numbered from 0.
struct FillProblem {
  struct Crossing {
    std::size_t resource;
    std::int64_t coefficient;  ///< positive; its product with the weight fits 64 bits
  };
  struct Flow {
    std::size_t first_crossing;  ///< its crossings are [first_crossing, end_crossing)
    std::size_t end_crossing;
    std::int64_t weight;             ///< positive
    std::optional<Ratio> cap_level;  ///< rate cap over weight; needed when it crosses nothing
  };

  std::vector<Ratio> free;  ///< by resource: the capacity to share, not negative
  std::vector<Crossing> crossings;
  std::vector<Flow> flows;
};

/// Solves the problem by progressive filling and returns each flow's level (rate over weight).
/// Afterwards `free` holds the free capacity of each resource.
///
/// All levels rise together. Let D_r be the sum of coefficient x weight over the flows on r that
/// are not frozen, and F_r the free capacity of r. r saturates at the level F_r / D_r, shortened
/// (sim/ratio.hpp). Each step takes the lowest of these levels. If a cap is at or below it, the
/// flows with the lowest cap are frozen there; otherwise the flows on all resources that saturate
/// at that level. F and D are reduced by the frozen flows. Each step is exact in the rationals, so
/// the result does not depend on the order.
///
/// Throws OverflowError when a D_r exceeds 64 bits.
[[nodiscard]] std::vector<Ratio> fill_progressively(FillProblem& problem);

}  // namespace vgsim
