#pragma once

// What older releases of libc++ lack of C++20's library and vgsim uses: std::from_chars for double
// (before version 20), the algorithms of std::ranges and operator<=> of strings (before 15;
// the algorithms that vgsim uses, on ranges alone), std::bit_cast and std::to_chars for double
// (before 14). Included ahead of every source by builds with libc++ (tools/html,
// tests/bench/fingerprints), and by nothing else.

#include <version>

#ifdef _LIBCPP_VERSION
#include <charconv>

#if _LIBCPP_VERSION < 200000
#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

namespace std {

/// By strtod, which takes more than from_chars does: what only strtod takes is held back from it.
inline from_chars_result from_chars(const char* first, const char* last, double& value) {
  const string_view digits = "0123456789.eE+-";
  const char* end =
      find_if(first, last, [&](char c) { return digits.find(c) == string_view::npos; });
  const string text(first, end);
  char* rest = nullptr;
  const double parsed = strtod(text.c_str(), &rest);
  if (rest == text.c_str() || text[0] == '+') return {first, errc::invalid_argument};
  const char* stop = first + (rest - text.c_str());
  if (parsed > 1.7976931348623157e308 || parsed < -1.7976931348623157e308) {
    return {stop, errc::result_out_of_range};
  }
  value = parsed;
  return {stop, errc{}};
}

}  // namespace std
#endif

#if _LIBCPP_VERSION < 15000
#include <algorithm>
#include <compare>
#include <functional>
#include <iterator>
#include <ranges>
#include <string>
#include <utility>

namespace std {

template <class Letter, class Traits, class Allocator>
constexpr strong_ordering operator<=>(const basic_string<Letter, Traits, Allocator>& a,
                                      const basic_string<Letter, Traits, Allocator>& b) {
  return a.compare(b) <=> 0;
}

}  // namespace std

namespace std::ranges {

template <class Range, class Value, class Projection = identity>
constexpr auto find(Range&& range, const Value& value, Projection projection = {}) {
  return std::find_if(begin(range), end(range),
                      [&](auto&& each) { return invoke(projection, each) == value; });
}

template <class Range, class Predicate, class Projection = identity>
constexpr auto find_if(Range&& range, Predicate predicate, Projection projection = {}) {
  return std::find_if(begin(range), end(range), [&](auto&& each) -> bool {
    return invoke(predicate, invoke(projection, each));
  });
}

template <class Range, class Predicate, class Projection = identity>
constexpr bool any_of(Range&& range, Predicate predicate, Projection projection = {}) {
  return std::any_of(begin(range), end(range), [&](auto&& each) -> bool {
    return invoke(predicate, invoke(projection, each));
  });
}

template <class Range, class Predicate, class Projection = identity>
constexpr bool all_of(Range&& range, Predicate predicate, Projection projection = {}) {
  return std::all_of(begin(range), end(range), [&](auto&& each) -> bool {
    return invoke(predicate, invoke(projection, each));
  });
}

template <class Range, class Predicate, class Projection = identity>
constexpr bool none_of(Range&& range, Predicate predicate, Projection projection = {}) {
  return !ranges::any_of(range, std::ref(predicate), std::ref(projection));
}

template <class Range, class Value, class Projection = identity>
constexpr auto count(Range&& range, const Value& value, Projection projection = {}) {
  return std::count_if(begin(range), end(range),
                       [&](auto&& each) { return invoke(projection, each) == value; });
}

template <class Range, class Predicate, class Projection = identity>
constexpr auto count_if(Range&& range, Predicate predicate, Projection projection = {}) {
  return std::count_if(begin(range), end(range), [&](auto&& each) -> bool {
    return invoke(predicate, invoke(projection, each));
  });
}

template <class Range, class Compare = less, class Projection = identity>
constexpr void sort(Range&& range, Compare compare = {}, Projection projection = {}) {
  std::sort(begin(range), end(range), [&](auto&& a, auto&& b) -> bool {
    return invoke(compare, invoke(projection, a), invoke(projection, b));
  });
}

template <class Range, class Compare = less, class Projection = identity>
void stable_sort(Range&& range, Compare compare = {}, Projection projection = {}) {
  std::stable_sort(begin(range), end(range), [&](auto&& a, auto&& b) -> bool {
    return invoke(compare, invoke(projection, a), invoke(projection, b));
  });
}

template <class Range, class Compare = less, class Projection = identity>
constexpr auto max_element(Range&& range, Compare compare = {}, Projection projection = {}) {
  return std::max_element(begin(range), end(range), [&](auto&& a, auto&& b) -> bool {
    return invoke(compare, invoke(projection, a), invoke(projection, b));
  });
}

template <class Range, class Compare = less, class Projection = identity>
constexpr auto min_element(Range&& range, Compare compare = {}, Projection projection = {}) {
  return std::min_element(begin(range), end(range), [&](auto&& a, auto&& b) -> bool {
    return invoke(compare, invoke(projection, a), invoke(projection, b));
  });
}

template <class First, class Second, class Predicate = equal_to>
constexpr bool equal(First&& first, Second&& second, Predicate predicate = {}) {
  return std::equal(begin(first), end(first), begin(second), end(second), predicate);
}

template <class First, class Second>
constexpr bool lexicographical_compare(First&& first, Second&& second) {
  return std::lexicographical_compare(begin(first), end(first), begin(second), end(second));
}

template <class Range, class Value>
constexpr bool binary_search(Range&& range, const Value& value) {
  return std::binary_search(begin(range), end(range), value);
}

template <class Range, class Old, class New>
constexpr void replace(Range&& range, const Old& old, const New& value) {
  std::replace(begin(range), end(range), old, value);
}

template <class Range, class Predicate, class New>
constexpr void replace_if(Range&& range, Predicate predicate, const New& value) {
  std::replace_if(begin(range), end(range), predicate, value);
}

template <class Range, class Output>
constexpr auto move(Range&& range, Output output) {
  return std::move(begin(range), end(range), output);
}

}  // namespace std::ranges
#endif

#if _LIBCPP_VERSION < 14000
#include <cstdio>

namespace std {

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}

/// The fewest digits that are read back as the same number, the nearest ones, in the shorter of %e
/// and %f. The digits of %.*e, or those beside them, are the nearest ones of each length.
inline to_chars_result to_chars(char* first, char* last, double value) {
  char scientific[64];
  int digits = 0;
  for (bool same = false; !same && digits < 17; ++digits) {
    snprintf(scientific, sizeof scientific, "%.*e", digits, value);
    same = strtod(scientific, nullptr) == value || value != value;
    char* end = scientific;
    while (*end != 'e' && *end != '\0') ++end;
    for (const int step : {1, -1}) {
      if (same || digits == 0) break;
      char& ending = end[-1];
      const char before = ending;
      ending = static_cast<char>(ending + step);
      same = ending >= '1' && ending <= '9' && strtod(scientific, nullptr) == value;
      if (!same) ending = before;
    }
  }
  const string_view with_exponent = scientific;
  const size_t at = with_exponent.find('e');
  string fixed(with_exponent);
  if (at != string_view::npos) {
    const int exponent = atoi(scientific + at + 1);
    char text[400];
    snprintf(text, sizeof text, "%.*f", max(0, digits - 1 - exponent), value);
    fixed = text;
  }
  const string_view chosen = fixed.size() <= with_exponent.size() ? fixed : with_exponent;
  if (static_cast<size_t>(last - first) < chosen.size()) return {last, errc::value_too_large};
  return {copy(chosen.begin(), chosen.end(), first), errc{}};
}

}  // namespace std
#endif
#endif
