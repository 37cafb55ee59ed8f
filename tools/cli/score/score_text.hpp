#pragma once

#include <string>

#include "models/scoring/score_file.hpp"

namespace vgsim::cli {

/// The score as text: a summary, then by part, class and case, the worst first; a single case
/// point by point.
[[nodiscard]] std::string score_text(const scoring::Score& score);

}  // namespace vgsim::cli
