#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/scoring/errors.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::scoring {

/// The display format of a quantity.
enum class Unit { kShare, kFactor, kCount };

/// A quantity of an ErrorSummary with a possible threshold.
struct Quantity {
  const char* key;                                      ///< in files
  const char* text;                                     ///< on screen
  const char* meaning;                                  ///< of the limit
  std::optional<double> (*value)(const ErrorSummary&);  ///< nothing if the summary has none
  bool at_most;                                         ///< else at least
  double least;                                         ///< smallest possible limit
  double most;
  Unit unit;
};
[[nodiscard]] const std::vector<Quantity>& quantities();

/// The requirement for a part of a score, or for a case.
struct Threshold {
  std::string of;  ///< part, or id of a case
  bool is_case = false;
  const Quantity* quantity = nullptr;
  double limit = 0.0;
};

/// The content of a file of thresholds.
struct Thresholds {
  std::vector<Threshold> limits;
  std::size_t not_run = 0;  ///< maximum number of points that fail to run, in all cases that count
};

/// A threshold that was missed, and the actual value; nothing if the quantity does not exist.
struct MissedThreshold {
  Threshold threshold;
  std::optional<double> value;
};

/// A file of thresholds, `vgsim.bars/2`, for cases of any kind.
[[nodiscard]] input::Shape thresholds_shape();

/// Reads such a file, strictly. Each part and case without a threshold for points gets one of at
/// least one point.
[[nodiscard]] tl::expected<Thresholds, input::Diagnostics> read_thresholds(
    const input::SourcePtr& file);

/// In file order. For a part without points only the number of points is reported.
[[nodiscard]] std::vector<MissedThreshold> missed_thresholds(const std::vector<ScoredCase>& cases,
                                                             Weighting weighting,
                                                             const Thresholds& thresholds);

/// "large, one node: median 5 % for 4.99 % at most".
[[nodiscard]] std::string describe(const MissedThreshold& missed);

}  // namespace vgsim::scoring
