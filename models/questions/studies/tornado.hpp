#pragma once

#include <string>
#include <vector>

#include "models/questions/studies/one_run.hpp"
#include "models/questions/studies/worth_measuring.hpp"
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

struct Tornado {
  std::string layout;
  double base_s = 0;                    ///< an iteration, or the collective of the largest size
  std::size_t varied = 0;               ///< number of varied parameters
  std::vector<TornadoBar> bars;         ///< largest effect first
  std::vector<WorthMeasuring> measure;  ///< measurements that narrow the interval most
  std::string left_out;                 ///< why it was not computed; empty if it was
};

/// Whether the tornado is cheap for this layout.
[[nodiscard]] bool is_quickly_varied(const LayoutResult& layout);

/// Runs a layout twice for each uncertain parameter of its result (see LayoutResult::inputs).
/// Intervals are those of its calibration, if it has one. With `parts` each run is a part.
[[nodiscard]] Tornado tornado(const Studied& studied, const LayoutResult& layout,
                              ComputedParts* parts = nullptr);

}  // namespace vgsim::scenario
