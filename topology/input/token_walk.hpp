#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace vgsim::input {

/// Follows the events of a lexer through a JSON text to find the position of each token.
///
/// Each step_...() advances over the next token, whose kind comes from the lexer, and returns the
/// offset of its first byte; offset() is then the end of the token. The text must be valid up to
/// there. A byte order mark is skipped.
class TokenWalk {
 public:
  explicit TokenWalk(std::string_view text)
      : text_(text), offset_(text.starts_with("\xEF\xBB\xBF") ? 3u : 0u) {}

  /// Start of the next token, after blanks, commas and colons. Does not advance.
  [[nodiscard]] std::size_t peek() const {
    std::size_t start = offset_;
    while (start < text_.size() && is_between_tokens(text_[start])) ++start;
    return start;
  }
  /// Advances over the next token, a bracket, word or number of at most that many bytes.
  std::size_t step(std::size_t length) {
    const std::size_t start = peek();
    offset_ = std::min(start + length, text_.size());
    return start;
  }
  std::size_t step_number() {
    const std::size_t start = peek();
    offset_ = start;
    skip_one_of("-");
    if (!skip_one_of("0")) skip_digits();
    if (skip_one_of(".")) skip_digits();
    if (skip_one_of("eE")) {
      skip_one_of("+-");
      skip_digits();
    }
    return start;
  }
  std::size_t step_string() {
    const std::size_t start = peek();
    offset_ = start + 1;
    while (offset_ < text_.size() && text_[offset_] != '"') {
      offset_ += text_[offset_] == '\\' ? 2u : 1u;
    }
    offset_ = std::min(offset_ + 1, text_.size());
    return start;
  }
  [[nodiscard]] std::size_t offset() const { return offset_; }

 private:
  static bool is_between_tokens(char c) {
    return c == ' ' || c == '\n' || c == ',' || c == ':' || c == '\t' || c == '\r';
  }
  bool skip_one_of(std::string_view wanted) {
    const bool found = offset_ < text_.size() && wanted.find(text_[offset_]) != wanted.npos;
    if (found) ++offset_;
    return found;
  }
  void skip_digits() {
    offset_ = std::min(text_.find_first_not_of("0123456789", offset_), text_.size());
  }

  std::string_view text_;
  std::size_t offset_;
};

}  // namespace vgsim::input
