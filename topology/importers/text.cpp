#include "topology/importers/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace vgsim::topology {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

}  // namespace

Piece trimmed(Piece piece) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t start = std::min(piece.text.find_first_not_of(kBlanks), piece.text.size());
  const std::size_t end = piece.text.find_last_not_of(kBlanks) + 1;
  return {piece.text.substr(start, std::max(start, end) - start), piece.offset + start};
}

std::string_view trimmed(std::string_view text) { return trimmed(Piece{text, 0}).text; }

std::string printable(std::string_view text) {
  constexpr std::size_t kLongest = 255;
  std::string words(trimmed(text).substr(0, kLongest));
  std::ranges::replace_if(
      words, [](char c) { return c < ' ' || c > '~'; }, '?');
  return words;
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), lower);
  return result;
}

bool mentions(std::string_view text, std::string_view words) {
  const auto same = [](char a, char b) { return lower(a) == b; };
  return std::search(text.begin(), text.end(), words.begin(), words.end(), same) != text.end();
}

std::optional<std::int64_t> whole_number(std::string_view text, std::int64_t min,
                                         std::int64_t max) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc() || rest != end || value < min || value > max) return std::nullopt;
  return value;
}

bool is_number_list(std::string_view text) {
  constexpr std::int64_t kMost = 1'048'575;
  for (std::size_t i = 0;;) {
    const std::size_t end = std::min(text.find(',', i), text.size());
    const std::string_view range = text.substr(i, end - i);
    const std::size_t dash = std::min(range.find('-'), range.size());
    const auto first = whole_number(range.substr(0, dash), 0, kMost);
    if (!first) return false;
    if (dash < range.size() && !whole_number(range.substr(dash + 1), *first, kMost)) return false;
    if (end == text.size()) return true;
    i = end + 1;
  }
}

std::string few_of(const std::vector<std::string>& names, std::size_t most) {
  const std::size_t shown = std::min(names.size(), most);
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(shown);
  const std::string list = fmt::format("{}", fmt::join(names.begin(), end, ", "));
  return shown == names.size() ? list : fmt::format("{} and {} more", list, names.size() - shown);
}

}  // namespace vgsim::topology
