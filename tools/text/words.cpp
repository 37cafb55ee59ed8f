#include "tools/text/words.hpp"

#include <fmt/core.h>

#include <cmath>

#include "models/scenario/answer/metrics.hpp"
#include "sim/units.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::text {

std::string percent(double share) { return fmt::format("{:.1f} %", share * 100.0); }

std::string bytes_text(double bytes) { return input::format_bytes(Bytes{std::llround(bytes)}); }

std::string plural(std::size_t count, const char* one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string shell_word(const std::string& word) {
  constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string duration_text(double seconds) {
  return scenario::in_words(seconds, scenario::MetricUnit::kSeconds);
}

}  // namespace vgsim::text
