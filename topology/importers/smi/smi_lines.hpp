#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/machine/text.hpp"

namespace vgsim::topology {

/// Iterates over the lines of a text, as shown on a terminal.
///
/// Escape sequences, control characters, byte order marks and no-break spaces become spaces, so
/// that every character keeps its offset. Lines are cut after 256 KiB; no tool prints longer ones.
class SmiLines {
 public:
  explicit SmiLines(std::string_view text) : text_(text) {}

  /// The next line, without its end; nothing after the last. The text of a line is valid until the
  /// next call, and at most as long as the whole text.
  [[nodiscard]] std::optional<TextSpan> next();

 private:
  std::string_view text_;
  std::size_t offset_ = 0;
  std::string clean_;
};

/// The words between spaces and tabs, at most `limit`.
[[nodiscard]] std::vector<TextSpan> words_of(TextSpan line, std::size_t limit = 8192);

/// The trimmed fields between separators, at most `limit`. "a,,b" has an empty one.
[[nodiscard]] std::vector<TextSpan> fields_of(TextSpan line, char separator,
                                              std::size_t limit = 1024);

/// Leading spaces and tabs; a tab counts as eight.
[[nodiscard]] std::size_t indent_of(std::string_view line);

/// Whether the text is a marker of nvidia-smi for unknown: "N/A", "[Not Supported]", "".
[[nodiscard]] bool is_not_told(std::string_view text);

}  // namespace vgsim::topology
