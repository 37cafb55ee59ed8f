#pragma once

#include <string>

#include "models/calibration/calibration.hpp"
#include "models/calibration/parameters.hpp"
#include "models/scenario/build/run_settings.hpp"

namespace vgsim::scenario {

/// A standard normal deviation for what has that name, from -2.5 to 2.5. Over all draws it falls
/// once into each quantile (Latin hypercube). Equal names have equal deviations in a draw, others
/// independent ones.
[[nodiscard]] double deviation(const std::string& name, const ParameterDraw& draw);

/// Draws every uncertain parameter from its interval: normally distributed in the logarithm, with
/// different widths on both sides. Over all draws each parameter falls once into each quantile
/// (Latin hypercube); `correlations` couples parameters. Independent of the presence of other
/// parameters.
[[nodiscard]] calibration::Parameters drawn(
    const calibration::Parameters& parameters,
    const std::vector<calibration::Correlation>& correlations, const ParameterDraw& draw);

}  // namespace vgsim::scenario
