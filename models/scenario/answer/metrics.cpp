#include "models/scenario/answer/metrics.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <span>

#include "sim/units.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::scenario {
namespace {

struct UnitFactor {
  const char* unit;
  double factor;
};

constexpr UnitFactor kTimes[] = {{"ps", 1e-12}, {"ns", 1e-9},  {"us", 1e-6},  {"ms", 1e-3},
                                 {"s", 1.0},    {"min", 60.0}, {"h", 3600.0}, {"d", 86400.0}};
constexpr UnitFactor kRates[] = {{"/s", 1.0}, {"samples/s", 1.0}, {"images/s", 1.0}};
constexpr UnitFactor kShares[] = {{"%", 0.01}};
constexpr UnitFactor kMetricSizes[] = {{"B", 1.0},      {"kB", 1e3},     {"MB", 1e6},
                                       {"GB", 1e9},     {"TB", 1e12},    {"KiB", 0x1p10},
                                       {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40}};
constexpr UnitFactor kBandwidths[] = {
    {"MB/s", 1e-3}, {"GB/s", 1.0}, {"TB/s", 1e3}, {"Gbit/s", 0.125}, {"GiB/s", 1.073741824}};
constexpr UnitFactor kOperations[] = {{"GFLOP/s", 1e9}, {"TFLOP/s", 1e12}, {"PFLOP/s", 1e15}};
constexpr UnitFactor kHourUnits[] = {{"h", 1.0}, {"GPU-hours", 1.0}};
constexpr UnitFactor kEnergies[] = {{"Wh", 1e-3}, {"kWh", 1.0}, {"MWh", 1e3}};

std::span<const UnitFactor> units_of(MetricUnit unit) {
  switch (unit) {
    case MetricUnit::kSeconds:
      return kTimes;
    case MetricUnit::kPerSecond:
      return kRates;
    case MetricUnit::kShare:
      return kShares;
    case MetricUnit::kBytes:
      return kMetricSizes;
    case MetricUnit::kGBps:
      return kBandwidths;
    case MetricUnit::kFlops:
      return kOperations;
    case MetricUnit::kHours:
      return kHourUnits;
    case MetricUnit::kKwh:
      return kEnergies;
    case MetricUnit::kCount:
    case MetricUnit::kMoney:
      return {};
  }
  return {};
}

std::string time_words(double seconds) {
  constexpr double kHour = 3600.0;
  constexpr double kDay = 24 * kHour;
  if (seconds >= 3.0 * kDay) return fmt::format("{:.1f} d", seconds / kDay);
  if (seconds >= kHour) return fmt::format("{:.2f} h", seconds / kHour);
  return input::format_time(
      SimTime{std::llround(seconds * static_cast<double>(kPicosecondsPerSecond))});
}

/// Without decimals from a thousand on.
std::string fixed(double value, int decimals) {
  return fmt::format("{:.{}f}", value, std::abs(value) < 1000 ? decimals : 0);
}

}  // namespace

std::string in_words(double value, MetricUnit unit) {
  switch (unit) {
    case MetricUnit::kSeconds:
      return time_words(value);
    case MetricUnit::kPerSecond:
      return value < 100 ? fmt::format("{:.3g}/s", value) : fixed(value, 1) + "/s";
    case MetricUnit::kShare:
      return fmt::format("{:.1f} %", value * 100);
    case MetricUnit::kBytes:
      return fmt::format("{:.4g} GiB", value / 0x1p30);
    case MetricUnit::kGBps:
      return fmt::format("{:.4g} GB/s", value);
    case MetricUnit::kFlops:
      return fmt::format("{:.4g} TFLOP/s", value / 1e12);
    case MetricUnit::kCount:
      return fmt::format("{:.4g}", value);
    case MetricUnit::kHours:
      return fixed(value, 2);
    case MetricUnit::kKwh:
      return fixed(value, 2) + " kWh";
    case MetricUnit::kMoney:
      return fmt::format("{:.2f}", value);
  }
  return {};
}

std::optional<double> read_figure(const std::string& text, MetricUnit unit) {
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || !std::isfinite(value)) return std::nullopt;
  const char* word = rest;
  if (word != end && *word == ' ') ++word;
  const std::string_view written(word, static_cast<std::size_t>(end - word));
  if (written.empty()) return rest == end ? std::optional(value) : std::nullopt;
  for (const UnitFactor& each : units_of(unit)) {
    if (written == each.unit) return value * each.factor;
  }
  return std::nullopt;
}

}  // namespace vgsim::scenario
