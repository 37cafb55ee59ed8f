#include "tools/cli/words.hpp"

#include <fmt/core.h>

#include <cmath>
#include <iterator>

#include "topology/input/unit_strings.hpp"

namespace vgsim::cli {

std::string percent(double share) { return fmt::format("{:.1f} %", share * 100.0); }

std::string bytes_text(double bytes) { return input::format_bytes(Bytes{std::llround(bytes)}); }

std::string binary_size_text(Bytes bytes) {
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::int64_t count = bytes.count();
  std::size_t unit = 0;
  while (unit + 1 < std::size(kUnits) && count > 0 && count % 1024 == 0) {
    count /= 1024;
    ++unit;
  }
  return count < 10'000 ? fmt::format("{} {}", count, kUnits[unit]) : input::format_bytes(bytes);
}

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
