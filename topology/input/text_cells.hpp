#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vgsim::input {

/// What one code point of the input looks like on a terminal.
struct Cell {
  std::size_t offset = 0;  ///< Byte offset in the text given.
  std::string shown;       ///< The character, or its escape if it could do harm.
  std::size_t width = 1;   ///< Columns that `shown` takes: 0 for accents, 2 for wide characters.
};

/// Length in bytes of the well-formed UTF-8 character at `offset`, or 0 if there is none: cut
/// off, overlong, a surrogate or beyond U+10FFFF.
[[nodiscard]] std::size_t utf8_length(std::string_view text, std::size_t offset);

/// Offset of the first byte that is not well-formed UTF-8, or text.size().
[[nodiscard]] std::size_t find_invalid_utf8(std::string_view text);

/// Splits text into cells. Tabs become two blanks; control characters, bidirectional overrides and
/// broken bytes become escapes such as \x1b and \u202e.
[[nodiscard]] std::vector<Cell> to_cells(std::string_view text);

/// Columns of a terminal that the text takes, as to_cells() shows it.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// The text as to_cells() shows it, safe to print.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace vgsim::input
