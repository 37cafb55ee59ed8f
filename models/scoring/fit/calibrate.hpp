#pragma once

#include <memory>
#include <tl/expected.hpp>
#include <vector>

#include "models/scoring/fit/calibration_fit.hpp"
#include "models/scoring/fit/observation.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {

struct Library;

/// Fits the uncertain parameters to what was measured: those that change a prediction by more than
/// a five-hundredth when they change by a twentieth. Each is believed to lie in its interval before
/// (see calibration::robust_fit). `held_back`: share of each subject's points, spread over them,
/// that are predicted and not fitted.
/// What the parameters cannot express of bare collectives stays as corrections: the residuals of
/// each, smoothed over neighbouring sizes.
/// Errors: subjects that cannot be run; no point to fit; nothing that the points determine; points
/// that stay far off whatever the parameters are.
[[nodiscard]] tl::expected<CalibrationFit, input::Diagnostics> calibrate(
    const std::vector<std::unique_ptr<FitSubject>>& subjects, const Library& library,
    double held_back);

}  // namespace vgsim::scenario
