#pragma once

#include <string>

#include "models/scoring/score_file.hpp"

namespace vgsim::cli {

/// The score for people: a sentence of what it comes to, then by part, by class and by case, the
/// worst first; one case alone point by point.
[[nodiscard]] std::string score_text(const scoring::Score& score);

}  // namespace vgsim::cli
