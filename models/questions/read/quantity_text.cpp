#include "models/questions/read/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "topology/input/units/unit_table.hpp"

namespace vgsim::scenario {
namespace {

using input::Unit;
using input::UnitKind;

constexpr UnitKind kKinds[] = {UnitKind::bytes, UnitKind::bytes_per_second, UnitKind::time,
                               UnitKind::flops, UnitKind::flops_per_second};
constexpr int kDigits = 6;
constexpr double kMillion = 1e6;

const Unit& unit_of(UnitKind kind, const std::string& name) {
  const auto units = input::unit_table(kind).units;
  const auto found =
      std::find_if(units.begin(), units.end(), [&](const Unit& unit) { return unit.name == name; });
  return found == units.end() ? units.front() : *found;
}

double size_of(const Unit& unit) {
  return static_cast<double>(unit.numerator) / static_cast<double>(unit.denominator);
}

/// Without trailing zeros.
std::string fixed_text(double number) {
  int decimals = kDigits - 1;
  for (double bound = 10.0; decimals > 0 && std::fabs(number) >= bound; bound *= 10.0) --decimals;
  for (double bound = 1.0; decimals < 3 * kDigits && std::fabs(number) < bound; bound /= 10.0) {
    ++decimals;
  }
  std::string text = fmt::format("{:.{}f}", number, decimals);
  if (decimals > 0) text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

/// The smaller units of the same family, largest first (KiB after MiB), ending with the base unit.
std::vector<const Unit*> smaller_units(UnitKind kind, const Unit& unit) {
  std::vector<const Unit*> smaller;
  for (const Unit& each : input::unit_table(kind).units) {
    const double ratio = size_of(unit) / size_of(each);
    const bool power_of_1024 = ratio > 1.0 && std::fmod(std::log2(ratio), 10.0) == 0.0;
    if (each.preferred && power_of_1024) smaller.push_back(&each);
  }
  std::sort(smaller.begin(), smaller.end(),
            [](const Unit* a, const Unit* b) { return size_of(*a) > size_of(*b); });
  smaller.push_back(&input::unit_table(kind).units.front());
  return smaller;
}

}  // namespace

double WrittenQuantity::in_unit(const std::string& name) const {
  return static_cast<double>(count) / size_of(unit_of(kind, name));
}

std::optional<WrittenQuantity> read_quantity(const std::string& text) {
  for (const UnitKind kind : kKinds) {
    const auto count = input::parse_quantity(kind, text);
    if (!count) continue;
    return WrittenQuantity{kind, text.substr(text.find_first_not_of("0123456789. ")), *count};
  }
  return std::nullopt;
}

std::string quantity_text(UnitKind kind, const std::string& unit, double number) {
  const std::string text = fmt::format("{} {}", fixed_text(number), unit);
  if (input::parse_quantity(kind, text)) return text;
  const Unit& own = unit_of(kind, unit);
  std::string in_smaller;
  for (const Unit* smaller : smaller_units(kind, own)) {
    const double count = std::round(number * (size_of(own) / size_of(*smaller)));
    in_smaller = fmt::format("{:.0f} {}", count, smaller->name);
    if (count >= kMillion) break;
  }
  return in_smaller;
}

double six_digits(double number) {
  const std::string text = fmt::format("{:.5e}", number);
  double rounded = number;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  return rounded;
}

}  // namespace vgsim::scenario
