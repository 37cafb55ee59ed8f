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

/// How a quantity is shown.
enum class Unit { kShare, kFactor, kCount };

/// A quantity of an ErrorSummary that a threshold can be set for.
struct Quantity {
  const char* key;                                      ///< in files
  const char* text;                                     ///< on screen
  const char* meaning;                                  ///< of the limit
  std::optional<double> (*value)(const ErrorSummary&);  ///< nothing where it has none
  bool at_most;                                         ///< else at least
  double least;                                         ///< that a limit can be
  double most;
  Unit unit;
};
[[nodiscard]] const std::vector<Quantity>& quantities();

/// What a part of a score, or a case, must reach.
struct Threshold {
  std::string of;  ///< part, or id of a case
  bool is_case = false;
  const Quantity* quantity = nullptr;
  double limit = 0.0;
};

/// The content of a file of thresholds.
struct Thresholds {
  std::vector<Threshold> limits;
  std::size_t not_run = 0;  ///< points that may fail to run, in all cases that count
};

/// A threshold that was missed, and what was reached instead; nothing where there is no such
/// quantity.
struct MissedThreshold {
  Threshold threshold;
  std::optional<double> value;
};

/// A file of thresholds, `vgsim.bars/2`, for cases of any kind.
[[nodiscard]] input::Shape thresholds_shape();

/// Reads such a file, strictly. Each part and case gets a threshold of one point at least where
/// none is stated.
[[nodiscard]] tl::expected<Thresholds, input::Diagnostics> read_thresholds(
    const input::SourcePtr& file);

/// In the order of the file. Of a part without points only their number is missed.
[[nodiscard]] std::vector<MissedThreshold> missed_thresholds(const std::vector<ScoredCase>& cases,
                                                             Weighting weighting,
                                                             const Thresholds& thresholds);

/// "large, one node: median 5 % for 4.99 % at most".
[[nodiscard]] std::string describe(const MissedThreshold& missed);

}  // namespace vgsim::scoring
