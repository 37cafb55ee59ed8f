#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/calibration/calibration.hpp"

namespace vgsim::scenario {

struct Library;

/// A parameter that the measurements determine, before and after.
struct FittedParameter {
  std::string name;
  calibration::Uncertain before;
  calibration::Uncertain after;
};

/// A measured point with the prediction before the fit and after it.
struct FittedPoint {
  std::string id;    ///< of the case or measurement
  std::string what;  ///< the point of it: "1 MiB"
  double measured_s = 0;
  double before_s = 0;
  double fitted_s = 0;     ///< by the fitted parameters
  double after_s = 0;      ///< and with the correction, where there is one
  bool held_back = false;  ///< not fitted
  bool outlier = false;    ///< fitted, and so far off that it does not count
};

/// Relative errors of some points.
struct FitErrors {
  std::size_t points = 0;
  double median = 0;
  double p90 = 0;
};

/// What calibrate() finds.
struct CalibrationFit {
  std::vector<FittedParameter> parameters;
  std::map<std::string, calibration::Uncertain> spreads;  ///< what is left over, after the fit
  std::vector<calibration::Correlation> correlations;
  std::vector<calibration::Correction> corrections;
  std::vector<FittedPoint> points;
  double noise = 0;  ///< of one measurement, relative

  /// Of the points that were held back or of the others, by what was predicted before or after the
  /// fit; nothing without points.
  [[nodiscard]] std::optional<FitErrors> errors(bool held_back,
                                                double FittedPoint::*predicted) const;
};

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
