#pragma once

#include <string>
#include <vector>

namespace vgsim::scenario {

/// Who something is said of, when it holds for many: "train01 and 3 more". At least one name.
[[nodiscard]] std::string and_more(const std::vector<std::string>& names);

}  // namespace vgsim::scenario
