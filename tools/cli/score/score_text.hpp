#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/questions/read/bars.hpp"
#include "models/questions/score/score.hpp"
#include "models/questions/score/score_file.hpp"

namespace vgsim::cli {

/// The score for people: by message size and nodes, by class of machines, by case, the worst
/// first; one case alone point by point.
[[nodiscard]] std::string score_text(const std::vector<scenario::ScoredCase>& cases,
                                     const std::optional<scenario::Medians>& earlier);

/// A table of the bars that were missed; empty if there are none.
[[nodiscard]] std::string missed_text(const std::vector<scenario::MissedBar>& missed);

}  // namespace vgsim::cli
