#include "topology/input/name_ranges.hpp"

#include <fmt/format.h>

#include <unordered_set>
#include <utility>

#include "topology/input/units/number_list.hpp"

namespace vgsim::input {
namespace {

using RangeNames = std::vector<std::string>;
using MaybeNames = tl::expected<RangeNames, std::string>;

std::string too_many(std::string_view text) {
  return fmt::format("\"{}\" expands to more than {} names", text, kMaxExpandedNames);
}

/// The numbers as text, in order. Returns an error beyond kMaxExpandedNames.
MaybeNames number_texts(std::string_view list, std::string_view whole) {
  const auto ranges = parse_number_list(list);
  if (!ranges) return tl::unexpected(fmt::format("in \"{}\", {}", whole, ranges.error()));
  RangeNames texts;
  for (const NumberRange& range : *ranges) {
    if (range.last - range.first >= kMaxExpandedNames - texts.size()) {
      return tl::unexpected(too_many(whole));
    }
    for (std::uint64_t n = range.first; n <= range.last; ++n) {
      texts.push_back(fmt::format("{:0{}}", n, range.width));
    }
  }
  return texts;
}

/// Every prefix combined with every number.
MaybeNames product(const RangeNames& prefixes, const RangeNames& numbers, std::string_view whole) {
  if (prefixes.size() * numbers.size() > kMaxExpandedNames) return tl::unexpected(too_many(whole));
  RangeNames names;
  names.reserve(prefixes.size() * numbers.size());
  for (const std::string& prefix : prefixes) {
    for (const std::string& number : numbers) names.push_back(prefix + number);
  }
  return names;
}

void append_to_all(RangeNames& names, std::string_view text) {
  if (text.empty()) return;
  for (std::string& name : names) name += text;
}

tl::expected<void, std::string> refuse_repetition(const RangeNames& names, std::string_view whole) {
  if (names.size() < 2) return {};
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : names) {
    if (!seen.insert(name).second) {
      return tl::unexpected(fmt::format("\"{}\" contains \"{}\" twice", whole, name));
    }
  }
  return {};
}

}  // namespace

MaybeNames expand_names(std::string_view text) {
  if (text.empty()) return tl::unexpected(std::string("a name is empty"));
  constexpr std::size_t kMaxBytes = 1000;
  if (has_range(text) && text.size() > kMaxBytes) {
    return tl::unexpected(fmt::format("a name with ranges is longer than {} bytes", kMaxBytes));
  }
  RangeNames names = {""};
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t open = std::min(text.find_first_of("[]", at), text.size());
    append_to_all(names, text.substr(at, open - at));
    if (open == text.size()) break;
    const std::size_t close = text.find(']', open);
    if (text[open] == ']' || close == text.npos) {
      return tl::unexpected(fmt::format("the brackets in \"{}\" do not match", text));
    }
    const auto numbers = number_texts(text.substr(open + 1, close - open - 1), text);
    if (!numbers) return numbers;
    MaybeNames longer = product(names, *numbers, text);
    if (!longer) return longer;
    names = std::move(*longer);
    at = close + 1;
  }
  if (const auto unique = refuse_repetition(names, text); !unique) {
    return tl::unexpected(unique.error());
  }
  return names;
}

bool has_range(std::string_view text) {
  for (std::size_t open = text.find('['); open != text.npos; open = text.find('[', open + 1)) {
    if (range_group_end(text, open) != text.npos) return true;
  }
  return false;
}

std::string and_more(const std::vector<std::string>& names) {
  if (names.size() == 1) return names.front();
  return fmt::format("{} and {} more", names.front(), names.size() - 1);
}

}  // namespace vgsim::input
