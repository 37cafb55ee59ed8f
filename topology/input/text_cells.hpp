#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vgsim::input {

/// One code point of the input on a terminal.
struct Cell {
  std::size_t offset = 0;  ///< Byte offset in the text given.
  std::string shown;       ///< The character, or an escape if it is unsafe to print.
  std::size_t width = 1;   ///< Columns of `shown`: 0 for accents, 2 for wide characters.
};

/// Length in bytes of the well-formed UTF-8 character at `offset`, or 0 if it is truncated,
/// overlong, a surrogate or beyond U+10FFFF.
[[nodiscard]] std::size_t utf8_length(std::string_view text, std::size_t offset);

/// Offset of the first byte that is not well-formed UTF-8, or text.size().
[[nodiscard]] std::size_t find_invalid_utf8(std::string_view text);

/// Splits text into cells. Tabs become two blanks; control characters, bidirectional overrides and
/// broken bytes become escapes such as \x1b and \u202e.
[[nodiscard]] std::vector<Cell> to_cells(std::string_view text);

/// Columns of the text on a terminal, as shown by to_cells().
[[nodiscard]] std::size_t display_width(std::string_view text);

/// The text as shown by to_cells(), safe to print.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace vgsim::input
