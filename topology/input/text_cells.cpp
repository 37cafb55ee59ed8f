#include "topology/input/text_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace vgsim::input {
namespace {

struct CodePoints {
  std::uint32_t first;
  std::uint32_t last;
};

template <std::size_t N>
bool contains(const std::array<CodePoints, N>& ranges, std::uint32_t code) {
  return std::any_of(ranges.begin(), ranges.end(), [code](CodePoints range) {
    return range.first <= code && code <= range.last;
  });
}

/// Controls, and the format characters that reorder or hide the text around them.
bool is_harmful(std::uint32_t code) {
  static constexpr std::array<CodePoints, 10> kRanges = {{{0x00, 0x1F},
                                                          {0x7F, 0x9F},
                                                          {0xAD, 0xAD},
                                                          {0x61C, 0x61C},
                                                          {0x200B, 0x200F},
                                                          {0x2028, 0x202E},
                                                          {0x2060, 0x206F},
                                                          {0xFEFF, 0xFEFF},
                                                          {0xFFF9, 0xFFFB},
                                                          {0xE0000, 0xE0FFF}}};
  return contains(kRanges, code);
}

/// Characters that take two columns (Unicode TR 11, wide and full-width); whole blocks of scripts.
bool is_wide(std::uint32_t code) {
  static constexpr std::array<CodePoints, 49> kRanges = {{
      {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},
      {0x23F0, 0x23F0},   {0x23F3, 0x23F3},   {0x25FD, 0x25FE},   {0x2614, 0x2615},
      {0x2648, 0x2653},   {0x267F, 0x267F},   {0x2693, 0x2693},   {0x26A1, 0x26A1},
      {0x26AA, 0x26AB},   {0x26BD, 0x26BE},   {0x26C4, 0x26C5},   {0x26CE, 0x26CE},
      {0x26D4, 0x26D4},   {0x26EA, 0x26EA},   {0x26F2, 0x26F3},   {0x26F5, 0x26F5},
      {0x26FA, 0x26FA},   {0x26FD, 0x26FD},   {0x2705, 0x2705},   {0x270A, 0x270B},
      {0x2728, 0x2728},   {0x274C, 0x274C},   {0x274E, 0x274E},   {0x2753, 0x2755},
      {0x2757, 0x2757},   {0x2795, 0x2797},   {0x27B0, 0x27B0},   {0x27BF, 0x27BF},
      {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},   {0x2B55, 0x2B55},   {0x2E80, 0x303E},
      {0x3041, 0xA4CF},   {0xA960, 0xA97C},   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},
      {0xFE10, 0xFE19},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},
      {0x16FE0, 0x1B2FB}, {0x1F004, 0x1F004}, {0x1F0CF, 0x1F0CF}, {0x1F18E, 0x1FAFF},
      {0x20000, 0x3FFFD},
  }};
  return contains(kRanges, code);
}

/// Combining marks.
bool is_combining(std::uint32_t code) {
  static constexpr std::array<CodePoints, 4> kRanges = {
      {{0x300, 0x36F}, {0x1AB0, 0x1AFF}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}}};
  return contains(kRanges, code);
}

std::uint32_t byte_at(std::string_view text, std::size_t offset) {
  return static_cast<unsigned char>(text[offset]);
}

/// Code point of the well-formed character with that length.
std::uint32_t decode(std::string_view text, std::size_t offset, std::size_t length) {
  const std::uint32_t lead = byte_at(text, offset);
  if (length == 1) return lead;
  std::uint32_t code = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) code = code << 6 | (byte_at(text, offset + i) & 0x3Fu);
  return code;
}

Cell make_cell(std::string_view text, std::size_t offset, std::size_t length) {
  if (length == 0) return {offset, fmt::format("\\x{:02x}", byte_at(text, offset)), 4};
  const std::uint32_t code = decode(text, offset, length);
  if (code == '\t') return {offset, "  ", 2};
  if (is_harmful(code)) {
    std::string escape = code < 0x80      ? fmt::format("\\x{:02x}", code)
                         : code < 0x10000 ? fmt::format("\\u{:04x}", code)
                                          : fmt::format("\\U{:08x}", code);
    const std::size_t width = escape.size();
    return {offset, std::move(escape), width};
  }
  const std::size_t width = is_combining(code) ? 0 : is_wide(code) ? 2 : 1;
  return {offset, std::string(text.substr(offset, length)), width};
}

}  // namespace

std::size_t utf8_length(std::string_view text, std::size_t offset) {
  const std::uint32_t lead = byte_at(text, offset);
  if (lead < 0x80) return 1;
  const std::size_t length = lead < 0xC2   ? 0
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                             : lead < 0xF5 ? 4
                                           : 0;
  if (length == 0 || text.size() - offset < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (byte_at(text, offset + i) >> 6 != 2) return 0;
  }
  const std::uint32_t code = decode(text, offset, length);
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return overlong || surrogate || code > 0x10FFFF ? 0 : length;
}

std::size_t find_invalid_utf8(std::string_view text) {
  std::size_t offset = 0;
  while (offset < text.size()) {
    const bool ascii = byte_at(text, offset) < 0x80;  // fast path for most characters
    const std::size_t length = ascii ? 1 : utf8_length(text, offset);
    if (length == 0) return offset;
    offset += length;
  }
  return offset;
}

std::vector<Cell> to_cells(std::string_view text) {
  std::vector<Cell> cells;
  for (std::size_t offset = 0; offset < text.size();) {
    const std::size_t length = utf8_length(text, offset);
    cells.push_back(make_cell(text, offset, length));
    offset += std::max<std::size_t>(length, 1);
  }
  return cells;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (const Cell& cell : to_cells(text)) width += cell.width;
  return width;
}

std::string printable(std::string_view text) {
  std::string result;
  for (const Cell& cell : to_cells(text)) result += cell.shown;
  return result;
}

}  // namespace vgsim::input
