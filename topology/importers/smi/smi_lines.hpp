#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/machine/text.hpp"

namespace vgsim::topology {

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
  [[nodiscard]] std::optional<Piece> next();

 private:
  std::string_view text_;
  std::size_t offset_ = 0;
  std::string clean_;
};

/// What spaces and tabs separate, at most `limit` of them.
[[nodiscard]] std::vector<Piece> words_of(Piece line, std::size_t limit = 8192);

/// What the separator separates, trimmed, at most `limit` of them. "a,,b" has an empty one.
[[nodiscard]] std::vector<Piece> fields_of(Piece line, char separator, std::size_t limit = 1024);

/// Leading spaces and tabs; a tab counts as eight.
[[nodiscard]] std::size_t indent_of(std::string_view line);

/// Whether nvidia-smi says with it that it does not know: "N/A", "[Not Supported]", "".
[[nodiscard]] bool is_not_told(std::string_view text);

}  // namespace vgsim::topology
