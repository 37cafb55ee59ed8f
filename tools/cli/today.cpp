#include "tools/cli/today.hpp"

#include <fmt/chrono.h>

#include <chrono>

namespace vgsim::cli {

std::string today() {
  const auto now = std::chrono::system_clock::now();
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::chrono::system_clock::to_time_t(now)));
}

}  // namespace vgsim::cli
