#include "topology/importers/dump_words.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace vgsim::topology {
namespace {

constexpr std::size_t kLongest = 255;
constexpr std::size_t kFew = 5;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

}  // namespace

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t start = text.find_first_not_of(kBlanks);
  if (start == text.npos) return {};
  return text.substr(start, text.find_last_not_of(kBlanks) - start + 1);
}

std::string printable_words(std::string_view text) {
  std::string words(without_blanks(text).substr(0, kLongest));
  std::replace_if(words.begin(), words.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return words;
}

std::string few_of(const std::vector<std::string>& names) {
  const std::size_t shown = std::min(names.size(), kFew);
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(shown);
  const std::string list = fmt::format("{}", fmt::join(names.begin(), end, ", "));
  return shown == names.size() ? list : fmt::format("{} and {} more", list, names.size() - shown);
}

bool mentions(std::string_view text, std::string_view words) {
  const auto same = [](char a, char b) { return lower(a) == b; };
  return std::search(text.begin(), text.end(), words.begin(), words.end(), same) != text.end();
}

}  // namespace vgsim::topology
