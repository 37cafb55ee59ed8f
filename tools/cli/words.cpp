#include "tools/cli/words.hpp"

#include <fmt/core.h>

#include <cmath>

#include "models/scenario/metrics.hpp"
#include "sim/units.hpp"
#include "topology/input/unit_strings.hpp"

namespace vgsim::cli {

std::string percent(double share) { return fmt::format("{:.1f} %", share * 100.0); }

std::string bytes_text(double bytes) { return input::format_bytes(Bytes{std::llround(bytes)}); }

std::string plural(std::size_t count, const char* one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string duration_text(double seconds) {
  return scenario::in_words(seconds, scenario::MetricUnit::kSeconds);
}

}  // namespace vgsim::cli
