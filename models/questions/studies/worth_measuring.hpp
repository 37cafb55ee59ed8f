#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/calibration/parameters.hpp"

namespace vgsim::scenario {

/// A measurement, and its effect on the interval of an answer.
struct WorthMeasuring {
  calibration::MeasuredBy measurement;
  std::vector<std::string> parameters;  ///< determined by it, largest effect first
  /// Relative reduction of the interval if they are known: 0.3 is 30 %.
  double narrows = 0;
};

/// How far an uncertain parameter moves an answer within its interval.
struct ParameterEffect {
  std::string parameter;
  double swing = 0;  ///< largest minus smallest answer
  double after = 0;  ///< the same after its measurement; at most `swing` counts
};

inline constexpr std::size_t kMostMeasurements = 3;
/// Measurements with a smaller effect are not listed.
inline constexpr double kLeastNarrowing = 0.05;

/// The measurements that narrow the interval of an answer most, at most kMostMeasurements. Assumes
/// independent parameters and a linear answer: the squares of the parameters' effects add up to
/// that of the interval.
[[nodiscard]] std::vector<WorthMeasuring> worth_measuring(
    const std::vector<ParameterEffect>& effects, const calibration::Parameters& parameters);

}  // namespace vgsim::scenario
