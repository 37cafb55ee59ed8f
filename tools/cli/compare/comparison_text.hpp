#pragma once

#include <string>
#include <vector>

#include "tools/cli/compare/subjects.hpp"

namespace vgsim::cli {

/// Differences of the input of each subject from the first one, then the figures side by side
/// with their changes.
[[nodiscard]] std::string comparison_text(const std::vector<Subject>& subjects);

/// The same as `vgsim.comparison/1`: JSON with a newline at the end.
[[nodiscard]] std::string comparison_json(const std::vector<Subject>& subjects);

}  // namespace vgsim::cli
