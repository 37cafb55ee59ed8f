#pragma once

#include <string>
#include <vector>

#include "models/calibration/parameters.hpp"
#include "models/questions/studies/one_run.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

/// What a layout takes with one parameter at either end of its interval, all others as they are.
struct TornadoBar {
  std::string parameter;
  std::string meaning;
  std::string low;  ///< the parameter's ends, with unit
  std::string high;
  double low_s = 0;  ///< the time with it
  double high_s = 0;
  double stays_s = 0;  ///< of the swing, once it is measured

  /// How far apart the times are, with and without, in seconds.
  [[nodiscard]] double swing(double base_s) const;
};

/// A measurement, and what it would tell of a layout's time.
struct WorthMeasuring {
  calibration::MeasuredBy measurement;
  std::vector<std::string> parameters;  ///< that it tells, the one that moves the time most first
  /// By which share the interval of the time shrinks if they are known: 0.3 is 30 %.
  double narrows = 0;
};

struct Tornado {
  std::string layout;
  double base_s = 0;             ///< an iteration, or the collective of the largest size
  std::size_t varied = 0;        ///< parameters that were tried
  std::vector<TornadoBar> bars;  ///< those that move it, most first; at most kMostTornadoBars
  /// What narrows the interval of the time most, at most kMostMeasurements. Parameters are taken as
  /// independent and the time as linear in each: the squares of what each moves then add up to that
  /// of the interval.
  std::vector<WorthMeasuring> measure;
  std::string left_out;  ///< why it was not done; empty where it was
};

inline constexpr std::size_t kMostTornadoBars = 12;
inline constexpr std::size_t kMostMeasurements = 3;
/// What narrows an interval by less is not worth measuring.
inline constexpr double kLeastNarrowing = 0.05;

/// Whether that takes no longer than other answers about a scenario.
[[nodiscard]] bool is_quickly_varied(const LayoutResult& layout);

/// Runs a layout of a document twice for each uncertain parameter that its result rests on (see
/// LayoutResult::inputs). The ends are those of its calibration, where it has one.
[[nodiscard]] Tornado tornado(const Studied& studied, const LayoutResult& layout);

}  // namespace vgsim::scenario
