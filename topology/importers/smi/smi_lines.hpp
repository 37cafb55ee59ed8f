#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vgsim::topology {

/// A piece of a text and the byte at which it begins there.
struct SmiPiece {
  std::string_view text;
  std::size_t offset = 0;
};

/// Goes through a text line by line, as a terminal would show it.
///
/// Escape sequences, control characters, byte order marks and no-break spaces become spaces, so
/// that every character keeps its offset. Of a line, only the first 256 KiB are given: no tool
/// prints longer ones.
class SmiLines {
 public:
  explicit SmiLines(std::string_view text) : text_(text) {}

  /// The next line, without its end. Empty after the last. A line's text is good until the next
  /// call, and as long as the whole text is.
  [[nodiscard]] std::optional<SmiPiece> next();

 private:
  std::string_view text_;
  std::size_t offset_ = 0;
  std::string clean_;
};

/// Without spaces and tabs around it.
[[nodiscard]] SmiPiece trimmed(SmiPiece piece);
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// What spaces and tabs separate, at most `limit` of them.
[[nodiscard]] std::vector<SmiPiece> words_of(SmiPiece line, std::size_t limit = 8192);

/// What the separator separates, trimmed, at most `limit` of them. "a,,b" has an empty one.
[[nodiscard]] std::vector<SmiPiece> fields_of(SmiPiece line, char separator,
                                              std::size_t limit = 1024);

/// Leading spaces and tabs; a tab counts as eight.
[[nodiscard]] std::size_t indent_of(std::string_view line);

/// Fit for results and messages: printable ASCII, at most 255 bytes, other bytes as '?'.
[[nodiscard]] std::string printable(std::string_view text);

[[nodiscard]] std::string lower_case(std::string_view text);

/// A decimal number that is all of the text and lies within the limits.
[[nodiscard]] std::optional<std::int64_t> whole_number(std::string_view text, std::int64_t min,
                                                       std::int64_t max);

/// Whether a text is numbers and ranges up to 1048575: "0-23,48-71".
[[nodiscard]] bool is_number_list(std::string_view text);

/// Whether nvidia-smi says with it that it does not know: "N/A", "[Not Supported]", "".
[[nodiscard]] bool is_not_told(std::string_view text);

}  // namespace vgsim::topology
