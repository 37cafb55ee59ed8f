#pragma once

#include <tl/expected.hpp>
#include <vector>

#include "models/scenario/library.hpp"
#include "models/scenario/score/calibration_fit.hpp"
#include "models/scenario/score/measured_case.hpp"
#include "topology/host_builder.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {

/// A case to fit to, and how to load what its scenario names.
struct FitCase {
  MeasuredCase measured;
  topology::FileLoader load;
};

/// Fits the uncertain parameters to measured collectives: those that change a prediction by more
/// than a five-hundredth when they change by a twentieth. Each is believed to lie in its interval
/// before (see calibration::robust_fit). `held_back`: share of each case's points, spread over its
/// sizes, that are predicted and not fitted.
/// What the parameters cannot express stays as corrections: the residuals of each collective,
/// smoothed over neighbouring sizes.
/// Errors: cases that cannot be run; no point to fit; nothing that the points determine.
[[nodiscard]] tl::expected<CalibrationFit, input::Diagnostics> calibrate(
    const std::vector<FitCase>& cases, const Library& library, double held_back);

}  // namespace vgsim::scenario
