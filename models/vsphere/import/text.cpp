#include "models/vsphere/import/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace vgsim::vsphere::import {
namespace {

char lower_char(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

std::optional<std::int64_t> number(std::string_view digits, int base) {
  std::int64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, failure] = std::from_chars(digits.data(), end, value, base);
  if (failure != std::errc() || stop != end) return std::nullopt;
  return value;
}

bool has_hex_prefix(std::string_view text) {
  return text.starts_with("0x") || text.starts_with("0X");
}

}  // namespace

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower_char(x) == lower_char(y); });
}

std::string bare_key(std::string_view heading) {
  std::string key;
  for (const char raw : heading) {
    const char c = lower_char(raw);
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

std::optional<Line> Lines::next() {
  if (offset_ >= text_.size()) return std::nullopt;
  const std::size_t start = offset_;
  const std::size_t end = std::min(text_.find_first_of("\r\n", start), text_.size());
  offset_ = end + (text_.substr(end).starts_with("\r\n") ? 2 : 1);
  return Line{text_.substr(start, end - start), start};
}

}  // namespace vgsim::vsphere::import
