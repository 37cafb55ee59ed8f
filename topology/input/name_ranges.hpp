#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "topology/input/origin.hpp"

namespace vgsim::input {

inline constexpr std::size_t kMaxExpandedNames = 100'000;

/// The names that a text with ranges stands for, in order, the last range running fastest:
/// "esx[01-03]" is esx01 esx02 esx03; "r[1,3]n[0-1]" is r1n0 r1n1 r3n0 r3n1. Zero padding is
/// kept. A text without brackets stands for itself.
///
/// Errors, as one sentence: an empty name, brackets that do not match or hold anything but
/// numbers, "-" and ",", a range that runs backwards or has padding that does not agree, a name
/// that appears twice, more than kMaxExpandedNames.
[[nodiscard]] tl::expected<std::vector<std::string>, std::string> expand_names(
    std::string_view text);

/// Whether the text holds a range: brackets around digits, "-" and "," only.
[[nodiscard]] bool has_range(std::string_view text);

/// Whether the whole name fits a pattern of plain characters, "*" (any run, also none), "?" (any
/// one byte) and ranges as above. Brackets that are not a range stand for themselves.
[[nodiscard]] bool matches_pattern(std::string_view name, std::string_view pattern);

/// Order as people expect it: digits compare as numbers, so esx2 < esx10. A total order: names
/// that only differ in zero padding are in byte order.
[[nodiscard]] bool natural_less(std::string_view a, std::string_view b);

/// The entries in natural order of their names.
template <class T>
[[nodiscard]] std::vector<Named<T>> in_natural_order(std::vector<Named<T>> entries) {
  std::sort(entries.begin(), entries.end(),
            [](const Named<T>& a, const Named<T>& b) { return natural_less(a.name, b.name); });
  return entries;
}

/// Who something is said of, when it holds for many: "train01 and 3 more". At least one name.
[[nodiscard]] std::string and_more(const std::vector<std::string>& names);

}  // namespace vgsim::input
