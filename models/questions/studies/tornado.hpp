#pragma once

#include <string>
#include <vector>

#include "models/calibration/parameters.hpp"
#include "models/questions/studies/one_run.hpp"
#include "models/scenario/answer/computed_parts.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

/// The time of a layout with one parameter at both ends of its interval, all others unchanged.
struct TornadoBar {
  std::string parameter;
  std::string meaning;
  std::string low;  ///< the parameter's ends, with unit
  std::string high;
  double low_s = 0;  ///< the time with it
  double high_s = 0;
  double stays_s = 0;  ///< remaining swing after a measurement

  /// Largest minus smallest of both times and the base time, in seconds.
  [[nodiscard]] double swing(double base_s) const;
};

/// A measurement, and its effect on the interval of a layout's time.
struct WorthMeasuring {
  calibration::MeasuredBy measurement;
  std::vector<std::string> parameters;  ///< determined by it, largest effect first
  /// Relative reduction of the interval if they are known: 0.3 is 30 %.
  double narrows = 0;
};

struct Tornado {
  std::string layout;
  double base_s = 0;             ///< an iteration, or the collective of the largest size
  std::size_t varied = 0;        ///< number of varied parameters
  std::vector<TornadoBar> bars;  ///< largest effect first; at most kMostTornadoBars
  /// Measurements that narrow the interval most, at most kMostMeasurements. Assumes independent
  /// parameters and a linear time: the squares of the parameters' effects add up to that of the
  /// interval.
  std::vector<WorthMeasuring> measure;
  std::string left_out;  ///< why it was not computed; empty if it was
};

inline constexpr std::size_t kMostTornadoBars = 12;
inline constexpr std::size_t kMostMeasurements = 3;
/// Measurements with a smaller effect are not listed.
inline constexpr double kLeastNarrowing = 0.05;

/// Whether the tornado is cheap for this layout.
[[nodiscard]] bool is_quickly_varied(const LayoutResult& layout);

/// Runs a layout twice for each uncertain parameter of its result (see LayoutResult::inputs).
/// Intervals are those of its calibration, if it has one. With `parts` each run is a part.
[[nodiscard]] Tornado tornado(const Studied& studied, const LayoutResult& layout,
                              ComputedParts* parts = nullptr);

}  // namespace vgsim::scenario
