#include "topology/input/units/unit_strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "topology/input/units/unit_hints.hpp"
#include "topology/input/units/unit_table.hpp"

namespace vgsim::input {
namespace {

__extension__ using Int128 = __int128;

/// Most digits for which the product with the largest unit (3.6e15) fits 128 bits.
constexpr std::size_t kMaxDigits = 20;

/// The decimal digits / 10^decimals.
struct Decimal {
  Int128 digits = 0;
  std::size_t decimals = 0;
};

std::size_t digits_end(std::string_view text, std::size_t from) {
  return std::min(text.find_first_not_of("0123456789", from), text.size());
}

/// Length of the decimal number at the start of the text; 0 without one.
std::size_t number_size(std::string_view text) {
  const std::size_t whole = digits_end(text, 0);
  if (whole == 0 || whole + 1 >= text.size() || text[whole] != '.') return whole;
  const std::size_t end = digits_end(text, whole + 1);
  return end == whole + 1 ? whole : end;
}

/// The decimal; nothing if it has too many digits.
std::optional<Decimal> to_decimal(std::string_view number) {
  const std::size_t point = std::min(number.find('.'), number.size());
  if (point < number.size()) {
    number = number.substr(0, std::max(number.find_last_not_of('0') + 1, point + 1));
  }
  Decimal result;
  result.decimals = point < number.size() ? number.size() - point - 1 : 0;
  std::size_t count = 0;
  for (const char c : number) {
    if (c == '.') continue;
    if (c != '0' || count > 0) ++count;
    if (count > kMaxDigits) return std::nullopt;
    result.digits = result.digits * 10 + (c - '0');
  }
  return result.decimals > kMaxDigits ? std::nullopt : std::optional(result);
}

Int128 power_of_ten(std::size_t exponent) {
  Int128 result = 1;
  for (std::size_t i = 0; i < exponent; ++i) result *= 10;
  return result;
}

Parsed<std::int64_t> scale(const UnitTable& table, const Decimal& decimal, const Unit& unit) {
  const Int128 dividend = decimal.digits * unit.numerator;
  const Int128 divisor = power_of_ten(decimal.decimals) * unit.denominator;
  if (dividend % divisor != 0) {
    return tl::unexpected(
        fmt::format("{} that is a whole number of {}", table.noun, table.base_noun));
  }
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  if (dividend / divisor > kMax) {
    return tl::unexpected(
        fmt::format("{} of at most {} {}", table.noun, kMax, table.units.front().name));
  }
  return static_cast<std::int64_t>(dividend / divisor);
}

template <class T>
Parsed<T> parse_as(UnitKind kind, std::string_view text) {
  return parse_quantity(kind, text).map([](std::int64_t count) { return T{count}; });
}

}  // namespace

Parsed<std::int64_t> parse_quantity(UnitKind kind, std::string_view text) {
  const UnitTable& table = unit_table(kind);
  const std::size_t size = number_size(text);
  const std::string_view number = text.substr(0, size);
  std::string_view name = text.substr(size);
  if (name.starts_with(' ')) name.remove_prefix(1);
  const auto unit = std::find_if(table.units.begin(), table.units.end(),
                                 [name](const Unit& u) { return u.name == name; });
  if (number.empty() || unit == table.units.end()) {
    return tl::unexpected(explain_unit(kind, number, name));
  }
  const std::optional<Decimal> decimal = to_decimal(number);
  if (!decimal) return tl::unexpected(fmt::format("{} with at most 20 digits", table.noun));
  return scale(table, *decimal, *unit);
}

Parsed<Bytes> parse_bytes(std::string_view text) { return parse_as<Bytes>(UnitKind::bytes, text); }

Parsed<BytesPerSecond> parse_bytes_per_second(std::string_view text) {
  return parse_as<BytesPerSecond>(UnitKind::bytes_per_second, text);
}

Parsed<SimTime> parse_sim_time(std::string_view text) {
  return parse_as<SimTime>(UnitKind::time, text);
}

Parsed<Flops> parse_flops(std::string_view text) { return parse_as<Flops>(UnitKind::flops, text); }

Parsed<FlopsPerSecond> parse_flops_per_second(std::string_view text) {
  return parse_as<FlopsPerSecond>(UnitKind::flops_per_second, text);
}

std::string unit_noun(UnitKind kind) {
  const UnitTable& table = unit_table(kind);
  return fmt::format("{} such as \"{}\"", table.noun, table.example);
}

std::string unit_regex(UnitKind kind) {
  std::string names;
  for (const Unit& unit : unit_table(kind).units) {
    if (!names.empty()) names += '|';
    names += unit.name;
  }
  return "^[0-9]+(\\.[0-9]+)? ?(" + names + ")$";
}

}  // namespace vgsim::input
