#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/questions/read/measured_case.hpp"
#include "models/questions/score/interval_score.hpp"
#include "models/questions/score/point_error.hpp"

namespace vgsim::scenario {

/// Message sizes that are judged together. Small ones are a matter of latency, large ones of
/// bandwidth; the sizes in between belong to kAll alone.
enum class Band {
  kSmall,   ///< up to 4 KiB
  kMedium,  ///< 64 kB to 64 MiB
  kLarge,   ///< 256 MB and more
  kAll,
};
inline constexpr std::array kBands{Band::kSmall, Band::kMedium, Band::kLarge, Band::kAll};

enum class Nodes { kOne, kSeveral };
inline constexpr std::array kNodes{Nodes::kOne, Nodes::kSeveral};

[[nodiscard]] const char* to_string(Band band);    ///< "small"
[[nodiscard]] const char* to_string(Nodes nodes);  ///< "one_node"
[[nodiscard]] bool is_in(Band band, Bytes size);

/// A case with its predictions; `errors` holds the measured points only.
struct ScoredCase {
  MeasuredCase measured;
  CasePrediction prediction;
  std::vector<PointError> errors;

  [[nodiscard]] Nodes nodes() const { return prediction.nodes > 1 ? Nodes::kSeveral : Nodes::kOne; }
  /// Grades A and B count as accuracy.
  [[nodiscard]] bool counts() const { return measured.grade != Grade::kC; }
};

/// What many errors come to. Of several groups of cases: medians and percentile over the groups,
/// each with the median of its own points; so that a machine counts once, however often it was
/// measured. Of one group: over its points.
struct ErrorSummary {
  std::size_t groups = 0;
  std::size_t points = 0;
  double signed_median = 0.0;
  double median = 0.0;  ///< of |error|
  double p90 = 0.0;     ///< 90th percentile of |error|, nearest rank
  double worst = 0.0;   ///< error of the point with the largest |error|
  Bytes worst_size{};
  double median_factor = 1.0;  ///< of PointError::factor()
  double p90_factor = 1.0;
  IntervalSummary intervals;
};

using PointsByGroup = std::map<std::string, std::vector<PointError>>;

/// Nothing if there is no point.
[[nodiscard]] std::optional<ErrorSummary> summarize_points(const std::vector<PointError>& points);
[[nodiscard]] std::optional<ErrorSummary> summarize_groups(const PointsByGroup& groups);

/// The summary of one case within a band.
[[nodiscard]] std::optional<ErrorSummary> case_summary(const ScoredCase& scored, Band band);
/// The summary over all cases that count, within a band.
[[nodiscard]] std::optional<ErrorSummary> band_summary(const std::vector<ScoredCase>& cases,
                                                       Band band, Nodes nodes);
/// The same for one class of machines, on any number of nodes.
[[nodiscard]] std::optional<ErrorSummary> class_summary(const std::vector<ScoredCase>& cases,
                                                        const std::string& topology_class,
                                                        Band band);

/// The classes of the cases that count and have measured points, sorted by name.
[[nodiscard]] std::vector<std::string> classes_of(const std::vector<ScoredCase>& cases);

}  // namespace vgsim::scenario
