#include "tools/sweep/estimate.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "tools/sweep/messages.hpp"
#include "tools/text/words.hpp"

namespace vgsim::sweep {

double Estimate::seconds_left() const {
  return first == 0 ? 0.0 : seconds / static_cast<double>(first) * static_cast<double>(left);
}

bool Estimate::is_long() const {
  constexpr double kHour = 3600.0;
  return seconds_left() > kHour;
}

std::uint64_t first_points(std::size_t jobs, std::uint64_t all) {
  return std::min<std::uint64_t>(std::max<std::size_t>(jobs, 1), all);
}

std::string estimate_text(const Estimate& estimate) {
  constexpr double kMinute = 60.0;
  if (estimate.seconds_left() < kMinute) return {};
  return fmt::format("the first {} took {}; the other {} will take about {}",
                     text::plural(estimate.first, "point"), rough_time(estimate.seconds),
                     estimate.left, rough_time(estimate.seconds_left()));
}

}  // namespace vgsim::sweep
