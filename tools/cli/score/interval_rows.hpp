#pragma once

#include <string>
#include <vector>

#include "models/questions/score/interval_score.hpp"

namespace vgsim::cli {

/// Of a table of intervals.
[[nodiscard]] std::vector<std::string> interval_head(const std::string& of);
[[nodiscard]] std::vector<std::string> interval_cells(const std::string& name,
                                                      const scenario::IntervalSummary& summary);

}  // namespace vgsim::cli
