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

/// Expands a text with ranges to names, in order, the last range varying fastest: "esx[01-03]" is
/// esx01 esx02 esx03; "r[1,3]n[0-1]" is r1n0 r1n1 r3n0 r3n1. Zero padding is kept. A text without
/// brackets is one name.
///
/// Errors, as one sentence: an empty name, unmatched brackets or brackets with anything but
/// numbers, "-" and ",", a descending range, inconsistent padding, a duplicate name, more than
/// kMaxExpandedNames.
[[nodiscard]] tl::expected<std::vector<std::string>, std::string> expand_names(
    std::string_view text);

/// Whether the text contains a range: brackets around digits, "-" and "," only.
[[nodiscard]] bool has_range(std::string_view text);

/// Whether the whole name matches a pattern of plain characters, "*" (any run, also empty), "?"
/// (any one byte) and ranges as above. Other brackets are plain characters.
[[nodiscard]] bool matches_pattern(std::string_view name, std::string_view pattern);

/// Natural order: digits compare as numbers, so esx2 < esx10. A total order: names that differ only
/// in zero padding are in byte order.
[[nodiscard]] bool natural_less(std::string_view a, std::string_view b);

/// The entries in natural order of their names.
template <class T>
[[nodiscard]] std::vector<Named<T>> in_natural_order(std::vector<Named<T>> entries) {
  std::sort(entries.begin(), entries.end(),
            [](const Named<T>& a, const Named<T>& b) { return natural_less(a.name, b.name); });
  return entries;
}

/// A short list of names: "train01 and 3 more". At least one name is required.
[[nodiscard]] std::string and_more(const std::vector<std::string>& names);

}  // namespace vgsim::input
