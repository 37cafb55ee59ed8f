#pragma once

#include <memory>
#include <tl/expected.hpp>
#include <vector>

#include "models/scoring/fit/calibration_fit.hpp"
#include "models/scoring/fit/observation.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {

struct Library;

/// Fits the uncertain parameters to measurements: those for which a change by 1/20 changes a
/// prediction by more than 1/500. The interval of a parameter is its prior (see
/// calibration::robust_fit). `held_back`: share of each subject's points, evenly distributed, that
/// are predicted but not fitted. Residuals of bare collectives that the parameters cannot express
/// become corrections, smoothed over neighbouring sizes. Errors: subjects that cannot be run; no
/// points; no parameter that the points determine; points that stay far off with any parameters.
[[nodiscard]] tl::expected<CalibrationFit, input::Diagnostics> calibrate(
    const std::vector<std::unique_ptr<FitSubject>>& subjects, const Library& library,
    double held_back);

}  // namespace vgsim::scenario
