#include "tools/report/scale.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <span>

namespace vgsim::report {
namespace {

AxisUnit largest_within(double most, std::span<const AxisUnit> units) {
  for (const AxisUnit& unit : units) {
    if (most >= unit.size) return unit;
  }
  return units.back();
}

}  // namespace

double Scale::operator()(double value) const {
  const double share =
      logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  return begin + share * (end - begin);
}

std::vector<double> nice_ticks(double low, double high, std::size_t count) {
  if (!(high > low)) high = low + 1;
  const double rough = (high - low) / static_cast<double>(count);
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (rough <= factor * power) step = factor * power;
  }
  std::vector<double> ticks;
  const double first = std::floor(low / step + 1e-9);
  for (double i = first; ticks.empty() || ticks.back() < high - step * 1e-9; ++i) {
    ticks.push_back(i * step);
  }
  return ticks;
}

std::vector<double> decade_ticks(double low, double high) {
  std::vector<double> ticks;
  for (double power = std::floor(std::log10(low) + 1e-9);; ++power) {
    ticks.push_back(std::pow(10.0, power));
    if (ticks.size() > 1 && ticks.back() >= high * (1 - 1e-9)) return ticks;
  }
}

AxisUnit time_unit(double most_seconds) {
  const std::array<AxisUnit, 6> units{
      {{"d", 3 * 86400.0}, {"h", 3 * 3600.0}, {"s", 3.0}, {"ms", 3e-3}, {"us", 3e-6}, {"ns", 0.0}}};
  AxisUnit unit = largest_within(most_seconds, units);
  unit.size = unit.name == "ns" ? 1e-9 : unit.size / 3;
  return unit;
}

AxisUnit bytes_unit(double most_bytes) {
  const std::array<AxisUnit, 4> units{
      {{"GiB", 0x1p30}, {"MiB", 0x1p20}, {"KiB", 0x1p10}, {"B", 1.0}}};
  return largest_within(most_bytes, units);
}

AxisUnit flops_unit(double most_per_s) {
  const std::array<AxisUnit, 3> units{{{"TFLOP/s", 1e12}, {"GFLOP/s", 1e9}, {"FLOP/s", 1.0}}};
  return largest_within(most_per_s, units);
}

std::string tick_label(double value) {
  constexpr double kManyDigits = 10'000;
  if (std::abs(value) < kManyDigits) return fmt::format("{:.4g}", value + 0.0);
  std::string digits = fmt::format("{:.0f}", value);
  const std::size_t first = value < 0 ? 1 : 0;
  for (std::size_t end = digits.size(); end > first + 3; end -= 3) digits.insert(end - 3, ",");
  return digits;
}

std::string size_label(double bytes) {
  constexpr std::array<const char*, 5> kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (unit + 1 < kUnits.size() && bytes >= 1024) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{:.4g} {}", bytes, kUnits[unit]);
}

}  // namespace vgsim::report
