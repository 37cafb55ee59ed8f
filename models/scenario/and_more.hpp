#pragma once

#include <fmt/core.h>

#include <string>
#include <vector>

namespace vgsim::scenario {

/// Who something is said of, when it holds for many: "train01 and 3 more". At least one name.
[[nodiscard]] inline std::string and_more(const std::vector<std::string>& names) {
  if (names.size() == 1) return names.front();
  return fmt::format("{} and {} more", names.front(), names.size() - 1);
}

}  // namespace vgsim::scenario
