#include "models/scenario/build/and_more.hpp"

#include <fmt/core.h>

namespace vgsim::scenario {

std::string and_more(const std::vector<std::string>& names) {
  if (names.size() == 1) return names.front();
  return fmt::format("{} and {} more", names.front(), names.size() - 1);
}

}  // namespace vgsim::scenario
