#pragma once

#include <cstddef>
#include <istream>
#include <iterator>
#include <string_view>

namespace vgsim::traces {

/// Converts profiler output to strict JSON: NaN and infinities become null, bytes beyond ASCII a
/// question mark (profilers write broken UTF-8).
class LenientJson {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  LenientJson() = default;  ///< the end
  explicit LenientJson(std::istream& text) : buffer_(text.rdbuf()) { ++*this; }

  char operator*() const { return current_; }
  LenientJson& operator++();
  bool operator==(const LenientJson& other) const { return buffer_ == other.buffer_; }
  bool operator!=(const LenientJson& other) const { return !(*this == other); }

 private:
  void skip_word();

  std::streambuf* buffer_ = nullptr;
  std::string_view pending_;  ///< to be returned before more is read
  char current_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;
};

}  // namespace vgsim::traces
