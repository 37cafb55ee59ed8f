#pragma once

#include <cstdint>

#include "models/calibration/calibration.hpp"
#include "models/calibration/parameters.hpp"

namespace vgsim::scenario {

/// One of several draws of all uncertain parameters.
struct ParameterDraw {
  std::uint64_t index = 0;
  std::uint64_t count = 1;
  std::uint64_t seed = 1;
};

/// Every uncertain parameter at a random place of its interval: normal, by ratios, the two sides
/// apart. Over all draws each parameter takes each part of its distribution once (a Latin
/// hypercube); those that `correlations` joins go together. Independent of which other parameters
/// there are.
[[nodiscard]] calibration::Parameters drawn(
    const calibration::Parameters& parameters,
    const std::vector<calibration::Correlation>& correlations, const ParameterDraw& draw);

}  // namespace vgsim::scenario
