#include "tools/text/figures.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "models/scenario/answer/bottleneck.hpp"
#include "tools/text/fitting.hpp"
#include "tools/text/words.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::text {
namespace {

constexpr int kFewestDigits = 2;
constexpr int kMostDigits = 4;
constexpr int kDigitsWithoutInterval = 3;
/// One unit of the last digit is at least this share of the half interval.
constexpr double kLastDigit = 0.1;

constexpr std::array kThousands = {"", " k", " M", " G", " T", " P"};

struct TimeUnit {
  const char* name;
  double seconds;
  double from;  ///< shorter times use a smaller unit
};

constexpr std::array kTimeUnits = {TimeUnit{"d", 86400.0, 3 * 86400.0},
                                   TimeUnit{"h", 3600.0, 3600.0},
                                   TimeUnit{"min", 60.0, 60.0},
                                   TimeUnit{"s", 1.0, 1.0},
                                   TimeUnit{"ms", 1e-3, 1e-3},
                                   TimeUnit{"us", 1e-6, 1e-6},
                                   TimeUnit{"ns", 1e-9, 0.0}};

const TimeUnit& unit_of(double seconds) {
  return *std::find_if(kTimeUnits.begin(), kTimeUnits.end() - 1,
                       [&](const TimeUnit& unit) { return std::abs(seconds) >= unit.from; });
}

/// Decimal exponent: 0 for 1 to 9.99, 2 for 100.
int magnitude(double value) {
  return value == 0.0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(value))));
}

/// Rounded to a multiple of ten to the power of `last`.
std::string rounded_to(double value, int last) {
  const double step = std::pow(10.0, last);
  return fmt::format("{:.{}f}", std::round(value / step) * step, std::max(0, -last));
}

}  // namespace

Known known_of(const std::optional<scenario::Interval>& interval, double value) {
  if (!interval || value <= 0.0) return std::nullopt;
  return (interval->high_s - interval->low_s) / 2.0 / value;
}

Known training_known(const scenario::TrainingResult& training) {
  return known_of(training.training_interval, training.training_s);
}

Known iteration_known(const scenario::TrainingResult& training) {
  return known_of(training.iteration_interval, to_seconds(training.iteration));
}

Known point_known(const scenario::CollectivePoint& point) {
  return known_of(scenario::Interval{to_seconds(point.low), to_seconds(point.high), 0},
                  to_seconds(point.time));
}

namespace {

/// The metric whose interval applies: itself, or the time that it is derived from.
const scenario::Metric* with_interval(const scenario::Metric& metric,
                                      const std::vector<scenario::Metric>& all) {
  using scenario::MetricUnit;
  if (metric.low) return &metric;
  if (metric.unit == MetricUnit::kShare || metric.unit == MetricUnit::kCount ||
      metric.unit == MetricUnit::kBytes) {
    return nullptr;
  }
  const std::size_t at = metric.name.find('@');
  const bool of_training = metric.unit == MetricUnit::kHours || metric.unit == MetricUnit::kKwh ||
                           metric.unit == MetricUnit::kMoney;
  const std::string time = at != std::string::npos ? "time_s" + metric.name.substr(at)
                           : of_training           ? "training_time_s"
                                                   : "iteration_time_s";
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const scenario::Metric& each) { return each.name == time; });
  return found == all.end() || !found->low ? nullptr : &*found;
}

}  // namespace

Known known_of(const scenario::Metric& metric, const std::vector<scenario::Metric>& all) {
  const scenario::Metric* own = with_interval(metric, all);
  if (own == nullptr) return std::nullopt;
  return known_of(scenario::Interval{*own->low, *own->high, 0}, own->value);
}

std::optional<scenario::Interval> interval_of(const scenario::Metric& metric,
                                              const std::vector<scenario::Metric>& all) {
  const bool is_time = metric.unit == scenario::MetricUnit::kSeconds;
  const scenario::Metric* own = is_time ? with_interval(metric, all) : nullptr;
  if (own == nullptr || own->value <= 0) return std::nullopt;
  const double times = metric.value / own->value;
  return scenario::Interval{*own->low * times, *own->high * times, 0};
}

int supported_digits(double value, Known known) {
  if (!known) return kDigitsWithoutInterval;
  const double smallest = *known * std::abs(value) * kLastDigit;
  if (!(smallest > 0.0)) return kMostDigits;
  const int last = static_cast<int>(std::ceil(std::log10(smallest)));
  return std::clamp(magnitude(value) - last + 1, kFewestDigits, kMostDigits);
}

std::string rounded(double value, int digits) {
  if (value == 0.0) return "0";
  if (!std::isfinite(value)) return fmt::format("{}", value);
  const double step = std::pow(10.0, magnitude(value) - digits + 1);
  const int carried = magnitude(std::round(value / step) * step);  // 9.97 becomes 10
  return rounded_to(value, carried - digits + 1);
}

std::string time_figure(double seconds, Known known) {
  if (seconds == 0.0) return "0 s";
  const TimeUnit& unit = unit_of(seconds);
  const double value = seconds / unit.seconds;
  return fmt::format("{} {}", rounded(value, supported_digits(value, known)), unit.name);
}

std::string time_range(const scenario::Interval& interval, double seconds) {
  if (interval.low_s == interval.high_s) return "exactly";
  const TimeUnit& unit = unit_of(seconds);
  const double value = seconds / unit.seconds;
  const int last = magnitude(value) - supported_digits(value, known_of(interval, seconds)) + 1;
  return fmt::format("{} to {} {}", rounded_to(interval.low_s / unit.seconds, last),
                     rounded_to(interval.high_s / unit.seconds, last), unit.name);
}

std::string range_figure(const scenario::Metric& metric) {
  const scenario::Interval interval{*metric.low, *metric.high, 0};
  if (metric.unit == scenario::MetricUnit::kSeconds) return time_range(interval, metric.value);
  const Known known = known_of(interval, metric.value);
  return fmt::format("{} to {}", figure(*metric.low, metric.unit, known),
                     figure(*metric.high, metric.unit, known));
}

std::string figure(double value, scenario::MetricUnit unit, Known known) {
  const int digits = supported_digits(value, known);
  switch (unit) {
    case scenario::MetricUnit::kSeconds:
      return time_figure(value, known);
    case scenario::MetricUnit::kPerSecond:
      return rounded(value, digits);  // its label contains "/s"
    case scenario::MetricUnit::kShare:
      return whole_percent(value);
    case scenario::MetricUnit::kBytes:
      return memory_figure(value);
    case scenario::MetricUnit::kGBps:
      return rounded(value, digits) + " GB/s";
    case scenario::MetricUnit::kFlops:
      return rounded(value / 1e12, digits) + " TFLOP/s";
    case scenario::MetricUnit::kKwh:
      return rounded(value, digits) + " kWh";
    case scenario::MetricUnit::kCount:
      return value == std::round(value) ? count_figure(value)
                                        : rounded(value, kDigitsWithoutInterval);
    case scenario::MetricUnit::kHours:
    case scenario::MetricUnit::kMoney:
      return rounded(value, digits);
  }
  return {};
}

std::string figure(const scenario::Metric& metric, const std::vector<scenario::Metric>& all) {
  return figure(metric.value, metric.unit, known_of(metric, all));
}

std::string memory_figure(double bytes) {
  return fmt::format("{} GiB", rounded(bytes / 0x1p30, kDigitsWithoutInterval));
}

std::string money_figure(double amount, const std::string& currency, Known known) {
  constexpr std::size_t kLongestCurrency = 8;
  const std::string number = rate_figure(amount, known);
  return currency.empty() ? number : number + " " + shortened(currency, kLongestCurrency);
}

std::string rate_figure(double rate, Known known) {
  return rounded(rate, supported_digits(rate, known));
}

std::string part_figure(SimTime part, const scenario::TrainingResult& training) {
  if (part == SimTime{0}) return "0 s";
  return fmt::format("{} ({})", time_figure(to_seconds(part), iteration_known(training)),
                     whole_percent(scenario::share_of(part, training)));
}

std::string whole_percent(double share) {
  const double percent = share * 100.0;
  if (percent > 0.0 && percent < 1.0) return "<1 %";
  return fmt::format("{:.0f} %", percent);
}

std::string count_figure(double count) {
  constexpr double kExact = 1e15;
  return count < kExact ? fmt::format("{:.0f}", count) : fmt::format("{:.3g}", count);
}

std::string length_words(const scenario::TrainingResult& training) {
  return length_words(training.epochs, training.all_tokens);
}

std::string length_words(std::int64_t epochs_trained, std::optional<std::int64_t> all_tokens) {
  const std::string epochs = plural(static_cast<std::size_t>(epochs_trained), "epoch");
  if (!all_tokens) return epochs;
  auto count = static_cast<double>(*all_tokens);
  std::size_t thousands = 0;
  for (; count >= 1000 && thousands + 1 < kThousands.size(); ++thousands) count /= 1000;
  const std::string tokens = fmt::format("{:.3g}{} tokens", count, kThousands[thousands]);
  return epochs_trained == 1 ? tokens : fmt::format("{} of {}", epochs, tokens);
}

namespace {

/// "12", "1.4": without the sign of a percent, with one place below 3.
std::string percent_number(double share, bool with_sign) {
  const double percent = share * 100.0;
  const int places = std::abs(percent) < 3.0 && std::abs(percent) >= 0.05 ? 1 : 0;
  return with_sign ? fmt::format("{:+.{}f}", percent, places)
                   : fmt::format("{:.{}f}", std::abs(percent), places);
}

std::string factor_number(double more) { return rounded(more + 1.0, 2); }

std::string percent_or_factor(double more) {
  return more >= 1.0 ? factor_number(more) + " x" : percent_number(more, true) + " %";
}

}  // namespace

std::string gap_figure(const scenario::Gap& gap) {
  if (gap.statement == scenario::Statement::kNoDifference) return "same";
  if (gap.more >= 1.0) return factor_number(gap.more) + " x";
  return fmt::format("+{:.0f} %", std::max(1.0, gap.more * 100.0));
}

std::string gap_range(const scenario::Gap& gap) {
  if (gap.draws == 0) return "";
  const bool is_open = !gap.is_slower() && gap.low < 0.0;
  const std::string low = percent_number(is_open ? gap.low : std::max(gap.low, 0.0), is_open);
  if (gap.low >= 1.0) {
    return fmt::format("{} to {} x", factor_number(gap.low), factor_number(gap.high));
  }
  if (gap.high >= 1.0) return fmt::format("{} % to {} x", low, factor_number(gap.high));
  return fmt::format("{} to {} %", low, percent_number(gap.high, is_open));
}

std::string relative_range(const scenario::RelativeTime& time) {
  if (time.high < 1.0) {
    return fmt::format("{} to {} %", percent_number(time.low, true),
                       percent_number(time.high, true));
  }
  return fmt::format("{} to {}", percent_or_factor(time.low), percent_or_factor(time.high));
}

std::string relative_words(const scenario::RelativeTime& time) {
  const std::string words =
      fmt::format("{} ({})", percent_or_factor(time.more), relative_range(time));
  const bool is_decided = time.statement == "faster" || time.statement == "slower";
  return is_decided ? words : fmt::format("{}, {}", words, time.statement);
}

std::string saved_figure(const scenario::Gap& gap) {
  return percent_number(gap.more / (1.0 + gap.more), false) + " %";
}

std::string saved_range(const scenario::Gap& gap) {
  if (gap.draws == 0) return "";
  const auto saved = [](double more) { return more / (1.0 + more); };
  const bool is_open = !gap.is_slower() && gap.low < 0.0;
  const double low = is_open ? gap.low : std::max(gap.low, 0.0);
  return fmt::format("{} to {} %", percent_number(saved(low), is_open),
                     percent_number(saved(gap.high), is_open));
}

std::string saved_words(const scenario::Gap& gap) {
  const std::string range = saved_range(gap);
  if (range.empty() || gap.is_slower()) return range;
  return fmt::format("{}, {}", range, to_string(gap.statement));
}

std::string gap_words(const scenario::Gap& gap) {
  const std::string range = gap_range(gap);
  return range.empty() ? gap_figure(gap) : fmt::format("{} ({})", gap_figure(gap), range);
}

}  // namespace vgsim::text
