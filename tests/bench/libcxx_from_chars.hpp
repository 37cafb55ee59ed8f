#pragma once

// std::from_chars for double, which libc++ lacks before version 20. Included ahead of every source
// by tests/bench/fingerprints, and by nothing else.

#include <charconv>

#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 200000
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
