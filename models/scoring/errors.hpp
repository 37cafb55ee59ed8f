#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/scoring/series.hpp"

namespace vgsim::scoring {

/// Quality of 90 % intervals: their coverage and width, and a score of both.
struct IntervalSummary {
  std::size_t groups = 0;
  double inside = 0;   ///< mean over groups of the share of measurements inside, 0 to 1
  double width = 1.0;  ///< median over groups of the median of high over low
  /// The interval score of logarithms: the mean over groups of log(high / low) and 2 / 0.1 times
  /// the distance of a measurement outside. As a factor, so that it equals the width of an interval
  /// with all measurements. Source: T. Gneiting, A. Raftery, Strictly proper scoring rules,
  /// prediction, and estimation, JASA 102, 2007.
  double score = 1.0;

  /// Whether the coverage is significantly below 90 %: intervals with a coverage of 90 % would show
  /// so few groups in less than 5 % of all samples.
  [[nodiscard]] bool is_too_narrow() const;
};

/// What the draws state about pairs of points with the same work (scenario::Statement), against
/// their measurements. Pairs whose measurements differ by less than noise are left out.
struct DifferenceSummary {
  std::size_t pairs = 0;
  std::size_t stated = 0;     ///< one is stated to be slower
  std::size_t right = 0;      ///< of these, the slower one
  std::size_t undecided = 0;  ///< of all pairs
  std::size_t inside = 0;     ///< of all pairs: the measured difference is within the interval
  std::size_t apart = 0;      ///< pairs that differ by more than scenario::kSmallDifference
  std::size_t missed = 0;     ///< of these, stated to have no significant difference
};

/// The points with a prediction of the null model.
struct NullSummary {
  std::size_t points = 0;
  double own_median = 0;  ///< of our |error| at these points
  double median = 0;      ///< of the null model's |error|
  double p90 = 0;
};

/// How many verdicts are right, and how the others are wrong.
struct VerdictSummary {
  std::size_t right = 0;
  std::size_t false_accepts = 0;
  std::size_t false_refusals = 0;
  std::size_t wrong_reasons = 0;
};

/// "right", "false accept", "false refusal", "wrong reason".
[[nodiscard]] const char* to_string(VerdictOutcome outcome);

/// A summary of errors.
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
  double too_low = 0.0;  ///< share of predictions below the measurement
  std::optional<IntervalSummary> intervals;
  std::optional<DifferenceSummary> differences;  ///< nothing without draws
  std::optional<NullSummary> null_model;
  std::optional<VerdictSummary> verdicts;  ///< nothing where the points are measurements
  /// Spearman's rank correlation of measured and predicted values of one case with at least
  /// eight points.
  std::optional<double> rank_correlation;
  /// Pairs of points in a series that differ by more than the noise, and those among them whose
  /// predictions have the same order.
  std::size_t pairs = 0;
  std::size_t in_order = 0;
  std::size_t not_run = 0;  ///< points that could not be predicted
};

/// The set over which medians and percentiles are computed.
enum class Weighting {
  kPoints,
  kRankedPoints,  ///< points; the median of an even number is the lower middle one
  /// Groups of cases, each with the median of its points, so that a machine counts once. A
  /// single group: its points.
  kGroups,
};

/// The name of the part with all points.
inline constexpr const char* kAll = "all";

/// Summarizes the points of a part. The name of a part consists of tags, "small/one_node". A point
/// belongs to it if it has all of them: as its own tags, those of its case, or the name of its
/// class.
[[nodiscard]] ErrorSummary summarize(const std::vector<const ScoredCase*>& cases,
                                     const std::string& part, Weighting weighting);

/// A part on screen: "small, one node".
[[nodiscard]] std::string part_text(std::string part);

/// The cases that count in summaries of several cases.
[[nodiscard]] std::vector<const ScoredCase*> counted(const std::vector<ScoredCase>& cases);

}  // namespace vgsim::scoring
