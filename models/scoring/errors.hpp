#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/scoring/series.hpp"

namespace vgsim::scoring {

/// Good intervals hold 90 % of the measurements and are narrow; the score weighs both.
struct IntervalSummary {
  std::size_t groups = 0;
  double inside = 0;   ///< mean over groups of the share that is inside, 0 to 1
  double width = 1.0;  ///< median over groups of the median of high over low
  /// The interval score of logarithms: the mean over groups of log(high / low) and 2 / 0.1 times
  /// the distance of a measurement outside; as a factor, so that it is the width of an interval
  /// that holds all. Source: T. Gneiting, A. Raftery, Strictly proper scoring rules, prediction,
  /// and estimation, JASA 102, 2007.
  double score = 1.0;

  /// Whether intervals that do hold 90 % of the groups would be found to hold so few in less than
  /// 5 % of all samples.
  [[nodiscard]] bool is_too_narrow() const;
};

/// The points for which the null model predicts something.
struct NullSummary {
  std::size_t points = 0;
  double own_median = 0;  ///< of our |error| at these points
  double median = 0;      ///< of the null model's
  double p90 = 0;
};

/// What many errors come to.
struct ErrorSummary {
  std::size_t groups = 0;
  std::size_t points = 0;
  double signed_median = 0.0;
  double median = 0.0;         ///< of |error|
  double p90 = 0.0;            ///< 90th percentile of |error|, nearest rank
  double worst = 0.0;          ///< error of the point with the largest |error|
  std::string worst_at;        ///< its label
  double median_factor = 1.0;  ///< of predicted over measured or the inverse, whichever is above 1
  double p90_factor = 1.0;
  double too_low = 0.0;  ///< share of the predictions that are below the measurement
  std::optional<IntervalSummary> intervals;
  std::optional<NullSummary> null_model;
  /// Spearman's rank correlation of what was measured and predicted: of one case with at least
  /// eight points.
  std::optional<double> rank_correlation;
  /// Pairs of points in a series that differ by more than the noise, and those of them whose
  /// predictions have the same order.
  std::size_t pairs = 0;
  std::size_t in_order = 0;
  std::size_t not_run = 0;  ///< points that could not be predicted
};

/// Over what medians and percentiles are taken.
enum class Weighting {
  kPoints,
  kRankedPoints,  ///< points, of an even number the lower one in the middle as their median
  /// Groups of cases, each with the median of its own points, so that a machine counts once. A
  /// single group: its points.
  kGroups,
};

/// The part with all points.
inline constexpr const char* kAll = "all";

/// Summarizes the points of a part: its name is made of tags, "small/one_node", and a point belongs
/// to it that has all of them, of its own, of its case or as the name of its class.
[[nodiscard]] ErrorSummary summarize(const std::vector<const ScoredCase*>& cases,
                                     const std::string& part, Weighting weighting);

/// A part on screen: "small, one node".
[[nodiscard]] std::string part_text(std::string part);

/// Those that count in summaries of several cases.
[[nodiscard]] std::vector<const ScoredCase*> counted(const std::vector<ScoredCase>& cases);

}  // namespace vgsim::scoring
