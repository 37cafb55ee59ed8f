#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/calibration/calibration.hpp"

namespace vgsim::scenario {

struct Library;

/// A parameter that the measurements determine, before and after the fit.
struct FittedParameter {
  std::string name;
  calibration::Uncertain before;
  calibration::Uncertain after;
};

/// A measured point with its predictions before and after the fit.
struct FittedPoint {
  std::string id;    ///< of the case or measurement
  std::string what;  ///< the point: "1 MiB"
  double measured_s = 0;
  double before_s = 0;
  double fitted_s = 0;     ///< with the fitted parameters
  double after_s = 0;      ///< with the correction in addition, if there is one
  bool held_back = false;  ///< not fitted
  bool outlier = false;    ///< fitted, but ignored because it is far off
};

/// Relative errors of some points.
struct FitErrors {
  std::size_t points = 0;
  double median = 0;
  double p90 = 0;
};

/// The result of calibrate().
struct CalibrationFit {
  std::vector<FittedParameter> parameters;
  std::map<std::string, calibration::Uncertain> spreads;  ///< residual spreads after the fit
  std::vector<calibration::Correlation> correlations;
  std::vector<calibration::Correction> corrections;
  std::vector<FittedPoint> points;
  double noise = 0;  ///< relative, of one measurement

  /// Errors of the held-out points, or of the others, before or after the fit; nothing
  /// without points.
  [[nodiscard]] std::optional<FitErrors> errors(bool held_back,
                                                double FittedPoint::*predicted) const;
};

/// The contents of a calibration file besides the fit.
struct CalibrationText {
  std::string name;
  std::string date;
  std::string source;  ///< description of the measurements
};

/// Writes `vgsim.calibration/1`, JSON with a newline at the end.
[[nodiscard]] std::string to_json(const CalibrationFit& fit, const CalibrationText& text,
                                  const Library& library);

}  // namespace vgsim::scenario
