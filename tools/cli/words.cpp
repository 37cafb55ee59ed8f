#include "tools/cli/words.hpp"

#include <fmt/core.h>

#include <cmath>

#include "sim/units.hpp"
#include "topology/input/unit_strings.hpp"

namespace vgsim::cli {

std::string percent(double share) { return fmt::format("{:.1f} %", share * 100.0); }

std::string bytes_text(double bytes) { return input::format_bytes(Bytes{std::llround(bytes)}); }

std::string plural(std::size_t count, const char* one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string duration_text(double seconds) {
  constexpr double kDay = 86400.0;
  if (seconds >= 3.0 * kDay) return fmt::format("{:.1f} d", seconds / kDay);
  if (seconds >= 3600.0) return fmt::format("{:.2f} h", seconds / 3600.0);
  return input::format_time(
      SimTime{std::llround(seconds * static_cast<double>(kPicosecondsPerSecond))});
}

}  // namespace vgsim::cli
