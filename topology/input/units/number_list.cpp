#include "topology/input/units/number_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace vgsim::input {
namespace {

constexpr std::size_t kMaxListDigits = 9;

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

bool is_padded(std::string_view number) { return number.size() > 1 && number[0] == '0'; }

std::uint64_t to_number(std::string_view digits) {
  std::uint64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

tl::expected<NumberRange, std::string> parse_item(std::string_view item) {
  const std::size_t dash = item.find('-');
  const std::string_view first = item.substr(0, dash);
  const std::string_view last = dash == item.npos ? first : item.substr(dash + 1);
  if (!is_number(first) || !is_number(last)) {
    return tl::unexpected(
        fmt::format("\"{}\" is neither a number nor two numbers with a \"-\" between them", item));
  }
  if (first.size() > kMaxListDigits || last.size() > kMaxListDigits) {
    return tl::unexpected(fmt::format("\"{}\" is too {}: numbers have at most {} digits", item,
                                      dash == item.npos ? "large" : "many", kMaxListDigits));
  }
  const bool padded = is_padded(first) || is_padded(last);
  if (padded && first.size() != last.size()) {
    return tl::unexpected(fmt::format("{} and {} are not padded to the same width", first, last));
  }
  const NumberRange range{to_number(first), to_number(last), padded ? first.size() : 1};
  if (range.first > range.last) {
    return tl::unexpected(fmt::format("{} is larger than {}", first, last));
  }
  return range;
}

}  // namespace

tl::expected<std::vector<NumberRange>, std::string> parse_number_list(std::string_view text) {
  std::vector<NumberRange> ranges;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto range = parse_item(text.substr(begin, end - begin));
    if (!range) return tl::unexpected(range.error());
    ranges.push_back(*range);
    begin = end + 1;
  }
  return ranges;
}

std::size_t range_group_end(std::string_view text, std::size_t open) {
  if (text[open] != '[') return text.npos;
  const std::size_t close = text.find_first_not_of("0123456789,-", open + 1);
  const bool is_group = close != text.npos && text[close] == ']' && close > open + 1;
  return is_group ? close : text.npos;
}

}  // namespace vgsim::input
