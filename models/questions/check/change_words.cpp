#include "models/questions/check/change_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace vgsim::scenario {
namespace {

/// The word for an increase: "slower" for times.
const char* direction(bool is_larger, MetricUnit unit) {
  switch (unit) {
    case MetricUnit::kSeconds:
      return is_larger ? "slower" : "faster";
    case MetricUnit::kPerSecond:
    case MetricUnit::kGBps:
    case MetricUnit::kFlops:
      return is_larger ? "faster" : "slower";
    case MetricUnit::kShare:
      return is_larger ? "higher" : "lower";
    case MetricUnit::kBytes:
    case MetricUnit::kCount:
    case MetricUnit::kHours:
    case MetricUnit::kKwh:
    case MetricUnit::kMoney:
      return is_larger ? "more" : "less";
  }
  return "";
}

/// Formats with that many digits, in a unit with a value of at most some thousands.
std::string with_digits(double value, MetricUnit unit, int digits) {
  double scale = 1.0;
  const char* word = "";
  if (unit == MetricUnit::kSeconds) {
    const double size = std::fabs(value);
    const bool is_small = size < 1.0 && size > 0.0;
    scale = !is_small ? 1.0 : size < 1e-6 ? 1e9 : size < 1e-3 ? 1e6 : 1e3;
    word = !is_small ? " s" : size < 1e-6 ? " ns" : size < 1e-3 ? " us" : " ms";
  } else if (unit == MetricUnit::kShare) {
    scale = 100.0;
    word = " %";
  } else if (unit == MetricUnit::kPerSecond) {
    word = "/s";
  } else if (unit == MetricUnit::kGBps) {
    word = " GB/s";
  } else if (unit == MetricUnit::kFlops) {
    scale = 1e-12;
    word = " TFLOP/s";
  } else if (unit == MetricUnit::kBytes) {
    word = " B";
  } else if (unit == MetricUnit::kKwh) {
    word = " kWh";
  }
  return fmt::format("{:.{}g}{}", value * scale, digits, word);
}

constexpr double kLeastShown = 1e-5;

}  // namespace

std::pair<std::string, std::string> both_in_words(double first, double second, MetricUnit unit) {
  std::pair words{in_words(first, unit), in_words(second, unit)};
  if (words.first != words.second) return words;
  for (const int digits : {8, 12, 17}) {
    words = {with_digits(first, unit, digits), with_digits(second, unit, digits)};
    if (words.first != words.second) break;
  }
  return words;
}

std::string change_in_words(double before, double now, MetricUnit unit) {
  constexpr double kFactorFrom = 1.5;
  const char* const where = direction(now > before, unit);
  if (unit == MetricUnit::kShare) {
    return fmt::format("{:.3g} points {}", 100 * std::fabs(now - before), where);
  }
  if (before == 0.0 || now == 0.0 || (before < 0) != (now < 0)) return {};
  const double factor = std::max(now / before, before / now);
  if (factor >= kFactorFrom) return fmt::format("{:.2f} x {}", factor, where);
  const double share = std::fabs(now / before - 1);
  if (share < kLeastShown) return fmt::format("less than {:g} % {}", 100 * kLeastShown, where);
  return fmt::format("{:.3g} % {}", 100 * share, where);
}

std::optional<double> read_percentage(std::string_view text) {
  constexpr double kMost = 1000.0;
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc()) return std::nullopt;
  const std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  const bool is_plain = text.front() != '.' && *(rest - 1) != '.';
  const bool is_share = is_plain && (unit == "%" || unit == " %");
  if (!is_share || !(value >= 0 && value <= kMost)) return std::nullopt;
  return value / 100;
}

}  // namespace vgsim::scenario
