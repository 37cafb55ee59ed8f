#include "topology/importers/smi/smi_lines.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace vgsim::topology {
namespace {

constexpr std::size_t kLongestLine = 256 * 1024;
constexpr char kEscape = '\x1b';

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_printable(char c) { return c >= ' ' && c <= '~'; }

/// Bytes of the escape sequence that begins at an ESC: CSI parameters and its final byte, or the
/// ESC alone.
std::size_t escape_length(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  if (end >= text.size() || text[end] != '[') return 1;
  ++end;
  while (end < text.size() && text[end] >= '0' && text[end] <= '?') ++end;
  const bool is_final = end < text.size() && text[end] >= '@' && text[end] <= '~';
  return end - at + (is_final ? 1 : 0);
}

/// Bytes at a place that are not shown: 0 for what is.
std::size_t unseen_length(std::string_view line, std::size_t at) {
  const std::string_view rest = line.substr(at);
  if (rest.starts_with("\xEF\xBB\xBF")) return 3;
  if (rest.starts_with("\xC2\xA0")) return 2;
  if (rest.front() == kEscape) return escape_length(line, at);
  const auto byte = static_cast<unsigned char>(rest.front());
  return (byte < ' ' && byte != '\t') || byte == 0x7F ? 1 : 0;
}

void clean(std::string& line) {
  for (std::size_t i = 0; i < line.size();) {
    const std::size_t unseen = unseen_length(line, i);
    std::fill_n(line.begin() + static_cast<std::ptrdiff_t>(i), unseen, ' ');
    i += std::max<std::size_t>(unseen, 1);
  }
}

}  // namespace

std::optional<SmiPiece> SmiLines::next() {
  if (offset_ >= text_.size()) return std::nullopt;
  const std::size_t start = offset_;
  const std::size_t end = std::min(text_.find('\n', start), text_.size());
  offset_ = end + 1;
  const std::string_view line = text_.substr(start, std::min(end - start, kLongestLine));
  const bool plain =
      std::all_of(line.begin(), line.end(), [](char c) { return is_printable(c) || c == '\t'; });
  if (plain) return SmiPiece{line, start};
  clean_ = line;
  clean(clean_);
  return SmiPiece{clean_, start};
}

SmiPiece trimmed(SmiPiece piece) {
  while (!piece.text.empty() && is_blank(piece.text.front())) {
    piece.text.remove_prefix(1);
    ++piece.offset;
  }
  while (!piece.text.empty() && is_blank(piece.text.back())) piece.text.remove_suffix(1);
  return piece;
}

std::string_view trimmed(std::string_view text) { return trimmed(SmiPiece{text, 0}).text; }

std::vector<SmiPiece> words_of(SmiPiece line, std::size_t limit) {
  std::vector<SmiPiece> words;
  const std::string_view text = line.text;
  for (std::size_t i = 0; i < text.size() && words.size() < limit;) {
    if (is_blank(text[i])) {
      ++i;
      continue;
    }
    const std::size_t end = std::min(text.find_first_of(" \t", i), text.size());
    words.push_back({text.substr(i, end - i), line.offset + i});
    i = end;
  }
  return words;
}

std::vector<SmiPiece> fields_of(SmiPiece line, char separator, std::size_t limit) {
  std::vector<SmiPiece> fields;
  for (std::size_t i = 0; fields.size() < limit;) {
    const std::size_t end = std::min(line.text.find(separator, i), line.text.size());
    fields.push_back(trimmed(SmiPiece{line.text.substr(i, end - i), line.offset + i}));
    if (end == line.text.size()) break;
    i = end + 1;
  }
  return fields;
}

std::size_t indent_of(std::string_view line) {
  std::size_t indent = 0;
  for (const char c : line) {
    if (!is_blank(c)) break;
    indent += c == '\t' ? 8 : 1;
  }
  return indent;
}

std::string printable(std::string_view text) {
  std::string result(text.substr(0, 255));
  std::replace_if(result.begin(), result.end(), [](char c) { return !is_printable(c); }, '?');
  return result;
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return result;
}

std::optional<std::int64_t> whole_number(std::string_view text, std::int64_t min,
                                         std::int64_t max) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc() || rest != end || value < min || value > max) return std::nullopt;
  return value;
}

bool is_number_list(std::string_view text) {
  constexpr std::int64_t kMost = 1'048'575;
  for (std::size_t i = 0;;) {
    const std::size_t end = std::min(text.find(',', i), text.size());
    const std::string_view range = text.substr(i, end - i);
    const std::size_t dash = std::min(range.find('-'), range.size());
    const auto first = whole_number(range.substr(0, dash), 0, kMost);
    if (!first) return false;
    if (dash < range.size() && !whole_number(range.substr(dash + 1), *first, kMost)) return false;
    if (end == text.size()) return true;
    i = end + 1;
  }
}

bool is_not_told(std::string_view text) {
  constexpr std::array<std::string_view, 10> kUnknown = {
      "N/A",           "n/a",
      "Not Supported", "Not Available",
      "Not Found",     "Unknown",
      "Unknown Error", "Requested functionality has been deprecated",
      "ERR!",          "Insufficient Permissions"};
  if (text.empty() || text.front() == '[') return true;
  return std::find(kUnknown.begin(), kUnknown.end(), text) != kUnknown.end();
}

}  // namespace vgsim::topology
