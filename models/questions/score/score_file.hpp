#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/questions/read/bars.hpp"
#include "models/questions/read/score_medians.hpp"
#include "models/questions/score/score.hpp"

namespace vgsim::scenario {

/// The score as `vgsim.score/1`: JSON with a newline at the end; the same text for the same score.
/// Errors are shares (0.1 is 10 %), times seconds. A part without measured points is null. With
/// the medians of an earlier score each part gets its "change"; `missed` lists bars.
[[nodiscard]] std::string to_json(const std::vector<ScoredCase>& cases,
                                  const std::optional<Medians>& earlier,
                                  const std::vector<MissedBar>& missed);

/// {case id: [time in microseconds, by point]} for every case, as JSON.
[[nodiscard]] std::string predictions_json(const std::vector<ScoredCase>& cases);

}  // namespace vgsim::scenario
