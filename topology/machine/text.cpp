#include "topology/machine/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace vgsim::topology {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

std::optional<std::int64_t> number(std::string_view digits, int base) {
  std::int64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, failure] = std::from_chars(digits.data(), end, value, base);
  if (failure != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace

TextSpan trimmed(TextSpan span) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t start = std::min(span.text.find_first_not_of(kBlanks), span.text.size());
  const std::size_t end = span.text.find_last_not_of(kBlanks) + 1;
  return {span.text.substr(start, std::max(start, end) - start), span.offset + start};
}

std::string_view trimmed(std::string_view text) { return trimmed(TextSpan{text, 0}).text; }

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

bool has_hex_prefix(std::string_view text) {
  return text.starts_with("0x") || text.starts_with("0X");
}

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

std::string bare_key(std::string_view heading) {
  std::string key;
  for (const char raw : heading) {
    const char c = lower(raw);
    if (c == '#') key += "num";
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) key += c;
  }
  return key;
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  return number(text, 10);
}

std::optional<std::int64_t> hex_number(std::string_view text) {
  text = trimmed(text);
  if (has_hex_prefix(text)) text.remove_prefix(2);
  if (text.starts_with('-')) return std::nullopt;
  return number(text, 16);
}

std::optional<std::int64_t> any_number(std::string_view text) {
  text = trimmed(text);
  return has_hex_prefix(text) ? hex_number(text) : whole_number(text);
}

std::optional<bool> truth(std::string_view text) {
  constexpr std::array<std::string_view, 5> kYes = {"true", "yes", "on", "1", "enabled"};
  constexpr std::array<std::string_view, 5> kNo = {"false", "no", "off", "0", "disabled"};
  const std::string word = lower_case(trimmed(text));
  if (std::ranges::find(kYes, word) != kYes.end()) return true;
  if (std::ranges::find(kNo, word) != kNo.end()) return false;
  return std::nullopt;
}

std::string cpu_ranges(std::vector<std::int64_t> cpus) {
  std::ranges::sort(cpus);
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  std::string list;
  for (std::size_t first = 0; first < cpus.size();) {
    std::size_t last = first;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) ++last;
    if (!list.empty()) list += ',';
    list += first == last ? fmt::format("{}", cpus[first])
                          : fmt::format("{}-{}", cpus[first], cpus[last]);
    first = last + 1;
  }
  return list;
}

std::optional<TextSpan> Lines::next() {
  if (offset_ >= text_.size()) return std::nullopt;
  const std::size_t start = offset_;
  const std::size_t end = std::min(text_.find_first_of("\r\n", start), text_.size());
  offset_ = end + (text_.substr(end).starts_with("\r\n") ? 2 : 1);
  return TextSpan{text_.substr(start, end - start), start};
}

std::string few_of(const std::vector<std::string>& names, std::size_t most) {
  const std::size_t shown = std::min(names.size(), most);
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(shown);
  const std::string list = fmt::format("{}", fmt::join(names.begin(), end, ", "));
  return shown == names.size() ? list : fmt::format("{} and {} more", list, names.size() - shown);
}

}  // namespace vgsim::topology
