#include <fmt/format.h>

#include <string>

#include "topology/input/units/unit_strings.hpp"
#include "topology/input/units/unit_table.hpp"

namespace vgsim::input {
namespace {

__extension__ using Int128 = __int128;

constexpr int kSignificantDigits = 4;

Int128 divide_to_even(Int128 dividend, Int128 divisor) {
  const Int128 quotient = dividend / divisor;
  const Int128 twice_rest = 2 * (dividend % divisor);
  const bool up = twice_rest > divisor || (twice_rest == divisor && quotient % 2 == 1);
  return quotient + (up ? 1 : 0);
}

/// A positive value rounded to significant digits: rounded / 10^decimals.
struct Rounded {
  Int128 rounded = 0;
  Int128 power = 1;  ///< 10^decimals
  int decimals = 0;
};

Rounded round_in(Int128 magnitude, std::int64_t unit) {
  Rounded result;
  result.decimals = kSignificantDigits - 1;
  for (Int128 whole = magnitude / unit; whole >= 10 && result.decimals > 0; whole /= 10) {
    --result.decimals;
  }
  for (int i = 0; i < result.decimals; ++i) result.power *= 10;
  result.rounded = divide_to_even(magnitude * result.power, unit);
  return result;
}

/// Without zeros at the end of the fraction, and without a fraction if it is zero.
std::string decimal_text(const Rounded& value) {
  const auto whole = static_cast<std::int64_t>(value.rounded / value.power);
  const auto fraction = static_cast<std::int64_t>(value.rounded % value.power);
  if (fraction == 0) return std::to_string(whole);
  std::string text = fmt::format("{}.{:0{}}", whole, fraction, value.decimals);
  text.erase(text.find_last_not_of('0') + 1);
  return text;
}

}  // namespace

std::string format_quantity(UnitKind kind, std::int64_t count) {
  const UnitTable& table = unit_table(kind);
  const Int128 magnitude = count < 0 ? -Int128{count} : Int128{count};
  std::size_t index = 0;
  while (index + 1 < table.output_units && magnitude >= table.units[index + 1].numerator) ++index;
  Rounded value = round_in(magnitude, table.units[index].numerator);
  if (index + 1 < table.output_units) {
    const std::int64_t larger = table.units[index + 1].numerator;
    const bool reaches_larger =
        value.rounded * table.units[index].numerator >= larger * value.power;
    if (reaches_larger) value = round_in(larger, table.units[++index].numerator);
  }
  return fmt::format("{}{} {}", count < 0 ? "-" : "", decimal_text(value), table.units[index].name);
}

std::string format_bytes(Bytes value) { return format_quantity(UnitKind::bytes, value.count()); }

std::string format_rate(BytesPerSecond value) {
  return format_quantity(UnitKind::bytes_per_second, value.count());
}

std::string format_time(SimTime value) { return format_quantity(UnitKind::time, value.count()); }

std::string format_flops(Flops value) { return format_quantity(UnitKind::flops, value.count()); }

std::string format_flops_rate(FlopsPerSecond value) {
  return format_quantity(UnitKind::flops_per_second, value.count());
}

}  // namespace vgsim::input
