#pragma once

#include "models/calibration/calibration.hpp"
#include "models/calibration/parameters.hpp"
#include "models/scenario/build/run_settings.hpp"

namespace vgsim::scenario {

/// Every uncertain parameter at a random place of its interval: normal, by ratios, the two sides
/// apart. Over all draws each parameter takes each part of its distribution once (a Latin
/// hypercube); those that `correlations` joins go together. Independent of which other parameters
/// there are.
[[nodiscard]] calibration::Parameters drawn(
    const calibration::Parameters& parameters,
    const std::vector<calibration::Correlation>& correlations, const ParameterDraw& draw);

}  // namespace vgsim::scenario
