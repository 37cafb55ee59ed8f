#include "models/scenario/check/change_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace vgsim::scenario {
namespace {

/// "slower", where a larger figure means that.
const char* direction(bool is_larger, MetricUnit unit) {
  switch (unit) {
    case MetricUnit::kSeconds:
      return is_larger ? "slower" : "faster";
    case MetricUnit::kPerSecond:
    case MetricUnit::kGBps:
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

constexpr double kLeastShown = 1e-5;

}  // namespace

std::pair<std::string, std::string> both_in_words(double first, double second, MetricUnit unit) {
  std::pair words{in_words(first, unit), in_words(second, unit)};
  if (words.first != words.second) return words;
  for (const int digits : {8, 12, 17}) {
    words = {fmt::format("{:.{}g}", first, digits), fmt::format("{:.{}g}", second, digits)};
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
  if (share < kLeastShown) return fmt::format("by less than {:g} %, {}", 100 * kLeastShown, where);
  return fmt::format("{:.3g} % {}", 100 * share, where);
}

std::optional<double> read_percentage(std::string_view text) {
  constexpr double kMost = 1000.0;
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  const std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  const bool is_share = unit == "%" || unit == " %";
  if (error != std::errc() || !is_share || !(value >= 0 && value <= kMost)) return std::nullopt;
  return value / 100;
}

}  // namespace vgsim::scenario
