#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "topology/input/name_ranges.hpp"
#include "topology/input/units/number_list.hpp"

namespace vgsim::input {
namespace {

/// Positions in the name at which the pattern so far can end: one flag for each of 0..size. Time is
/// the product of both sizes for every pattern.
using Positions = std::vector<bool>;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

Positions after_character(const Positions& from, std::string_view name, char wanted) {
  Positions to(from.size());
  for (std::size_t i = 0; i < name.size(); ++i) {
    to[i + 1] = from[i] && (wanted == '?' || name[i] == wanted);
  }
  return to;
}

Positions after_star(const Positions& from) {
  Positions to = from;
  for (std::size_t i = 1; i < to.size(); ++i) to[i] = to[i] || to[i - 1];
  return to;
}

bool in_list(std::string_view digits, std::uint64_t value, const std::vector<NumberRange>& list) {
  return std::any_of(list.begin(), list.end(), [&](const NumberRange& range) {
    const bool padded = digits.size() > 1 && digits[0] == '0';
    const bool width_fits =
        digits.size() == range.width || (digits.size() > range.width && !padded);
    return width_fits && range.first <= value && value <= range.last;
  });
}

Positions after_number(const Positions& from, std::string_view name,
                       const std::vector<NumberRange>& list) {
  constexpr std::size_t kMaxDigits = 9;
  Positions to(from.size());
  for (std::size_t i = 0; i < name.size(); ++i) {
    std::uint64_t value = 0;
    for (std::size_t n = 1; from[i] && n <= kMaxDigits && i + n <= name.size(); ++n) {
      if (!is_digit(name[i + n - 1])) break;
      value = value * 10 + static_cast<std::uint64_t>(name[i + n - 1] - '0');
      if (in_list(name.substr(i, n), value, list)) to[i + n] = true;
    }
  }
  return to;
}

/// The digits without leading zeros, but at least one digit.
std::string_view without_zeros(std::string_view digits) {
  return digits.substr(std::min(digits.find_first_not_of('0'), digits.size() - 1));
}

/// The leading run of digits.
std::string_view leading_digits(std::string_view text) {
  std::size_t size = 0;
  while (size < text.size() && is_digit(text[size])) ++size;
  return text.substr(0, size);
}

/// Negative, zero or positive if a is less than, equal to or greater than b, ignoring padding.
int compare_naturally(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    const std::string_view digits_a = leading_digits(a);
    const std::string_view digits_b = leading_digits(b);
    if (digits_a.empty() || digits_b.empty()) {
      const int order = a.substr(0, 1).compare(b.substr(0, 1));
      if (order != 0) return order;
      a.remove_prefix(1);
      b.remove_prefix(1);
      continue;
    }
    const std::string_view number_a = without_zeros(digits_a);
    const std::string_view number_b = without_zeros(digits_b);
    if (number_a.size() != number_b.size()) return number_a.size() < number_b.size() ? -1 : 1;
    const int order = number_a.compare(number_b);
    if (order != 0) return order;
    a.remove_prefix(digits_a.size());
    b.remove_prefix(digits_b.size());
  }
  return a.empty() ? (b.empty() ? 0 : -1) : 1;
}

}  // namespace

/// Compares the text before the first `*`, `?` or `[` literally, because most names differ there.
/// After it, all positions at which the name can match so far are advanced together.
bool matches_pattern(std::string_view name, std::string_view pattern) {
  const std::size_t plain = std::min(pattern.find_first_of("*?["), pattern.size());
  if (name.substr(0, plain) != pattern.substr(0, plain)) return false;
  name.remove_prefix(plain);
  pattern.remove_prefix(plain);
  if (pattern == "*") return true;
  if (pattern.empty()) return name.empty();
  Positions positions(name.size() + 1);
  positions[0] = true;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const std::size_t close = range_group_end(pattern, at);
    const auto list = close == pattern.npos
                          ? tl::make_unexpected(std::string())
                          : parse_number_list(pattern.substr(at + 1, close - at - 1));
    if (list) {
      positions = after_number(positions, name, *list);
      at = close;
    } else if (pattern[at] == '*') {
      positions = after_star(positions);
    } else {
      positions = after_character(positions, name, pattern[at]);
    }
  }
  return positions.back();
}

bool natural_less(std::string_view a, std::string_view b) {
  const int order = compare_naturally(a, b);
  return order != 0 ? order < 0 : a < b;
}

}  // namespace vgsim::input
