#include "topology/input/syntax_error.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "topology/input/text_cells.hpp"

namespace vgsim::input {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

bool is_number_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

std::size_t skip_blanks(std::string_view text, std::size_t offset) {
  return std::min(text.find_first_not_of(kBlanks, offset), text.size());
}

/// Whether the character can be part of an unquoted word or number.
bool in_word(char c) {
  return is_letter(c) || is_number_digit(c) || c == '.' || c == '+' || c == '-';
}

/// The characters of one unquoted word or number, at least one.
std::string_view word_at(std::string_view text, std::size_t offset) {
  std::size_t end = offset;
  while (end < text.size() && in_word(text[end])) ++end;
  if (end == offset) end += std::max<std::size_t>(utf8_length(text, offset), 1);
  return text.substr(offset, std::min<std::size_t>(end - offset, 60));
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

SyntaxError syntax(std::size_t offset, std::size_t length, std::string message,
                   std::string expected) {
  return {codes::kSyntax, offset, length, std::move(message), std::move(expected)};
}

SyntaxError unexpected_end(const StopPoint& stop) {
  SyntaxError error{codes::kUnexpectedEnd, stop.text.size(), 1, {}, {}};
  if (stop.after == After::nothing) {
    error.message = "the file is empty";
    error.expected = "a JSON document";
    return error;
  }
  const bool in_array = stop.after == After::open_array || stop.after == After::element;
  error.message = fmt::format("the file ends inside the {} opened on line {}",
                              in_array ? "array" : "object", stop.open_line);
  error.expected = stop.after == After::key ? "a colon and a value" : in_array ? "\"]\"" : "\"}\"";
  return error;
}

/// The next token starts like a number but is not valid JSON.
SyntaxError explain_number(const StopPoint& stop, std::size_t offset) {
  const std::string_view word = word_at(stop.text, offset);
  if (stop.number_overflow) {
    return {codes::kNotFinite, offset, word.size(),
            fmt::format("the number {} is too large to represent", word), "a number below 1.8e308"};
  }
  const bool zero = word.starts_with("0") || word.starts_with("-0");
  return syntax(offset, word.size(), fmt::format("{} is not a JSON number", word),
                zero
                    ? "a number without leading zeros"
                    : "digits, at most one point with digits on both sides, and no \"+\" in front");
}

SyntaxError explain_word(std::size_t offset, std::string_view word) {
  const std::string text = lower_case(word);
  const std::string_view unsigned_text = std::string_view(text).substr(text.starts_with('-'));
  if (unsigned_text == "nan" || unsigned_text == "inf" || unsigned_text == "infinity") {
    return {codes::kNotFinite, offset, word.size(), fmt::format("{} is not a number", word),
            "a finite number"};
  }
  if (text == "true" || text == "false" || text == "null") {
    return syntax(offset, word.size(), fmt::format("{} is not JSON", word),
                  fmt::format("{}, in lower case", text));
  }
  return syntax(offset, word.size(), fmt::format("unexpected {}", word),
                fmt::format("text in double quotes: \"{}\"", word));
}

/// A value is expected here.
SyntaxError explain_value(const StopPoint& stop, std::size_t offset) {
  if (offset == stop.text.size()) return unexpected_end(stop);
  const char c = stop.text[offset];
  const std::string_view word = word_at(stop.text, offset);
  if (c == '"') {
    if (auto error = explain_string(stop.text, offset)) return *error;
  }
  if (is_letter(c) || (c == '-' && word.size() > 1 && is_letter(word[1]))) {
    return explain_word(offset, word);
  }
  if (is_number_digit(c) || c == '-' || c == '+' || c == '.') return explain_number(stop, offset);
  if (c == '/' || c == '#') {
    return syntax(offset, 1, "comments are not allowed in JSON", "a value");
  }
  if (c == '\'') return syntax(offset, 1, "text in single quotes", "text in double quotes");
  return syntax(offset, 1, fmt::format("unexpected \"{}\"", printable(word)), "a value");
}

/// A key is expected here.
SyntaxError explain_key(const StopPoint& stop, std::size_t offset) {
  if (offset == stop.text.size()) return unexpected_end(stop);
  const char c = stop.text[offset];
  if (c == '"') {
    if (auto error = explain_string(stop.text, offset)) return *error;
  }
  if (c == '/' || c == '#') {
    return syntax(offset, 1, "comments are not allowed in JSON", "a key in double quotes");
  }
  const std::string_view word = word_at(stop.text, offset);
  const std::string expected =
      is_letter(c) ? fmt::format("a key in double quotes: \"{}\"", word) : "a key in double quotes";
  return syntax(offset, word.size(), fmt::format("unexpected \"{}\"", printable(word)), expected);
}

/// Between two members or elements: a comma or the closing bracket is expected.
SyntaxError explain_separator(const StopPoint& stop, std::size_t offset) {
  const bool in_object = stop.after == After::member;
  const char closer = in_object ? '}' : ']';
  const char c = stop.text[offset];
  if (c == ',') {
    const std::size_t next = skip_blanks(stop.text, offset + 1);
    if (next < stop.text.size() && stop.text[next] == closer) {
      return {codes::kTrailingComma, offset, 1, fmt::format("trailing comma before \"{}\"", closer),
              "no comma after the last entry"};
    }
    return in_object ? explain_key(stop, next) : explain_value(stop, next);
  }
  const std::string_view word = word_at(stop.text, offset);
  if (offset == stop.offset && is_number_digit(stop.text[offset - 1]) && in_word(c)) {
    return is_letter(c)
               ? syntax(offset, word.size(), fmt::format("unexpected \"{}\" after a number", word),
                        "a quantity with its unit in double quotes, such as \"64 GB\"")
               : syntax(offset, word.size(), "this cannot go on from the number before",
                        "a number without leading zeros and with one point at most");
  }
  if (c == '}' || c == ']') {
    return syntax(
        offset, 1,
        fmt::format("\"{}\" does not match the bracket opened on line {}", c, stop.open_line),
        fmt::format("\"{}\"", closer));
  }
  if (c == '/' || c == '#') return syntax(offset, 1, "comments are not allowed in JSON", "");
  return syntax(offset, 1, "a comma is missing before this",
                fmt::format("\",\" or \"{}\"", closer));
}

}  // namespace

SyntaxError explain_syntax_error(const StopPoint& stop) {
  const std::size_t offset = skip_blanks(stop.text, stop.offset);
  if (offset == stop.text.size()) return unexpected_end(stop);
  switch (stop.after) {
    case After::document:
      return {codes::kTrailingContent, offset, 1, "something follows the end of the document",
              "the end of the file"};
    case After::open_object:
      return explain_key(stop, offset);
    case After::key:
      if (stop.text[offset] != ':') {
        return syntax(offset, 1, "a colon is missing after the key", "\":\" and a value");
      }
      return explain_value(stop, skip_blanks(stop.text, offset + 1));
    case After::member:
    case After::element:
      return explain_separator(stop, offset);
    case After::nothing:
    case After::open_array:
      break;
  }
  return explain_value(stop, offset);
}

}  // namespace vgsim::input
