#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/scoring/case_kind.hpp"
#include "models/scoring/read/thresholds.hpp"
#include "models/scoring/series.hpp"

namespace vgsim::scoring {

/// The median |error| of each part of a score: "parts/small/one_node", "cases/ID".
using Medians = std::map<std::string, double>;

/// Cases of one kind with their predictions, thresholds and an earlier score.
struct Score {
  const CaseKind& kind;
  std::vector<ScoredCase> cases;
  std::optional<Medians> earlier;  ///< of a stored score
  std::optional<Thresholds> thresholds;
  std::vector<MissedThreshold> missed;  ///< thresholds that were missed
};

[[nodiscard]] std::string part_key(const std::string& part);
[[nodiscard]] std::string case_key(const std::string& id);

/// The classes of the cases that count, sorted by name: each is a part.
[[nodiscard]] std::vector<std::string> classes_of(const std::vector<ScoredCase>& cases);

/// The score as `vgsim.score/2`: JSON with a newline at the end, deterministic. Errors are shares
/// (0.1 is 10 %). A part without points is null. With an earlier score each part has a "change".
[[nodiscard]] std::string to_json(const Score& score);

/// {case id: {series of the source: [value in its unit, by point]}} for every case, as JSON; for
/// collectives {case id: [time in microseconds, by point]}. Values are null at anchors and without
/// a prediction.
[[nodiscard]] std::string predictions_json(const std::vector<ScoredCase>& cases);

}  // namespace vgsim::scoring
