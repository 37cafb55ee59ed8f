#pragma once

#include <map>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/calibration/calibration.hpp"
#include "models/scenario/library.hpp"
#include "models/scenario/score/measured_case.hpp"
#include "topology/host_builder.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {

/// A case to fit to, and how to load what its scenario names.
struct FitCase {
  MeasuredCase measured;
  topology::FileLoader load;
};

/// A parameter that the measurements determine, before and after.
struct FittedParameter {
  std::string name;
  calibration::Uncertain before;
  calibration::Uncertain after;
};

/// A measured point with the prediction before the fit and after it.
struct FittedPoint {
  std::string id;  ///< of the case
  Bytes size{};
  double measured_s = 0;
  double before_s = 0;
  double after_s = 0;
  bool held_back = false;  ///< not fitted
  bool outlier = false;    ///< fitted, and so far off that it does not count
};

struct CalibrationFit {
  std::vector<FittedParameter> parameters;
  std::map<std::string, double> spreads;  ///< parameters of residuals, after the fit
  std::vector<calibration::Correlation> correlations;
  std::vector<calibration::Correction> corrections;
  std::vector<FittedPoint> points;
  double noise = 0;  ///< of one measurement, relative
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

/// What a calibration file says beside the fit.
struct CalibrationText {
  std::string name;
  std::string date;
  std::string source;  ///< what was measured
};

/// As `vgsim.calibration/1`, JSON with a newline at the end.
[[nodiscard]] std::string to_json(const CalibrationFit& fit, const CalibrationText& text,
                                  const Library& library);

}  // namespace vgsim::scenario
