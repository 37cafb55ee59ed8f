#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace vgsim::scenario {

/// An interval that should hold nine measurements in ten, and what was measured. All above 0.
struct ScoredInterval {
  double measured = 0;
  double low = 0;
  double high = 0;

  /// The measurement lies in it, ends included.
  [[nodiscard]] bool holds() const { return low <= measured && measured <= high; }
};

/// Of machines, or documents: each counts once, however often it was measured.
using IntervalsByGroup = std::map<std::string, std::vector<ScoredInterval>>;

/// Intervals are good that hold nine in ten and are narrow; the score weighs both.
struct IntervalSummary {
  std::size_t groups = 0;
  double inside = 0;   ///< mean over groups of the share that holds, 0 to 1
  double width = 1.0;  ///< median over groups of the median of high over low
  /// The interval score, on logarithms: the mean over groups of log(high / low) and 2/0.1 times how
  /// far the measurement lies outside; as a factor, so that it is the width of an interval that
  /// holds all. Source: T. Gneiting, A. Raftery, Strictly proper scoring rules, prediction, and
  /// estimation, JASA 102, 2007.
  double score = 1.0;

  /// Whether nine in ten, of groups that are each inside or outside, would be further off less than
  /// once in twenty times: what holds less is too narrow.
  [[nodiscard]] bool is_too_narrow() const;
};

/// Nothing if there is none.
[[nodiscard]] std::optional<IntervalSummary> summarize_intervals(const IntervalsByGroup& groups);

}  // namespace vgsim::scenario
