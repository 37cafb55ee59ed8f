#include <fmt/format.h>

#include <cstdint>

#include "topology/input/syntax_error.hpp"

namespace vgsim::input {
namespace {

/// The value of four hexadecimal digits, or nothing.
std::optional<std::uint32_t> hex4(std::string_view digits) {
  if (digits.size() != 4) return std::nullopt;
  std::uint32_t value = 0;
  for (const char c : digits) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return std::nullopt;
    value = value * 16 + static_cast<std::uint32_t>(digit);
  }
  return value;
}

/// Length of the good escape that starts with the backslash at `offset`, or 0.
std::size_t escape_length(std::string_view text, std::size_t offset) {
  if (offset + 1 >= text.size()) return 0;
  if (text[offset + 1] != 'u') {
    return std::string_view("\"\\/bfnrt").find(text[offset + 1]) == std::string_view::npos ? 0 : 2;
  }
  const auto code = hex4(text.substr(offset + 2, 4));
  if (!code || (*code >= 0xDC00 && *code <= 0xDFFF)) return 0;
  if (*code < 0xD800 || *code > 0xDBFF) return 6;
  if (text.substr(offset + 6, 2) != "\\u") return 0;
  const auto low = hex4(text.substr(offset + 8, 4));
  return low && *low >= 0xDC00 && *low <= 0xDFFF ? 12 : 0;
}

}  // namespace

std::optional<SyntaxError> explain_string(std::string_view text, std::size_t offset) {
  std::size_t at = offset + 1;
  while (at < text.size() && text[at] != '"') {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte == '\n') {
      return SyntaxError{codes::kSyntax, offset, at - offset, "text without its closing quote",
                         "a double quote on the same line, or \\n for a line break"};
    }
    if (byte < 0x20) {
      return SyntaxError{codes::kBadCharacter, at, 1, "control character in a text",
                         fmt::format("\\u{:04x} in its place", byte)};
    }
    const std::size_t length = byte == '\\' ? escape_length(text, at) : 1;
    if (length == 0) {
      return SyntaxError{codes::kSyntax, at, 2, "a backslash that escapes nothing",
                         "one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t, or \\u with four hexadecimal "
                         "digits (surrogates in pairs)"};
    }
    at += length;
  }
  if (at < text.size()) return std::nullopt;
  return SyntaxError{codes::kUnexpectedEnd, offset, text.size() - offset,
                     "the file ends inside a text", "a closing double quote"};
}

}  // namespace vgsim::input
