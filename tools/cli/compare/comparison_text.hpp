#pragma once

#include <string>
#include <vector>

#include "tools/cli/compare/subjects.hpp"

namespace vgsim::cli {

/// What differs in the input of each subject and the first one, then the figures side by side, with
/// changes in words.
[[nodiscard]] std::string comparison_text(const std::vector<Subject>& subjects);

/// The same as `vgsim.comparison/1`: JSON with a newline at the end.
[[nodiscard]] std::string comparison_json(const std::vector<Subject>& subjects);

}  // namespace vgsim::cli
