#include "topology/importers/smi/smi_lines.hpp"

#include <algorithm>
#include <array>

namespace vgsim::topology {
namespace {

constexpr std::size_t kLongestLine = 256 * 1024;
constexpr char kEscape = '\x1b';

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_printable(char c) { return c >= ' ' && c <= '~'; }

/// Length in bytes of the escape sequence at an ESC: CSI parameters and the final byte, or the ESC
/// alone.
std::size_t escape_length(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  if (end >= text.size() || text[end] != '[') return 1;
  ++end;
  while (end < text.size() && text[end] >= '0' && text[end] <= '?') ++end;
  const bool is_final = end < text.size() && text[end] >= '@' && text[end] <= '~';
  return end - at + (is_final ? 1 : 0);
}

/// Number of bytes at a position that are not visible; 0 for visible ones.
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

/// Recordings contain control characters of the terminal: colours, carriage returns of progress
/// bars, marks of editors. Each such byte becomes a blank, which keeps columns and offsets, so that
/// errors refer to the file and not to a cleaned copy.
std::optional<TextSpan> SmiLines::next() {
  if (offset_ >= text_.size()) return std::nullopt;
  const std::size_t start = offset_;
  const std::size_t end = std::min(text_.find('\n', start), text_.size());
  offset_ = end + 1;
  const std::string_view line = text_.substr(start, std::min(end - start, kLongestLine));
  const bool plain = std::ranges::all_of(line, [](char c) { return is_printable(c) || c == '\t'; });
  if (plain) return TextSpan{line, start};
  clean_ = line;
  clean(clean_);
  return TextSpan{clean_, start};
}

std::vector<TextSpan> words_of(TextSpan line, std::size_t limit) {
  std::vector<TextSpan> words;
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

std::vector<TextSpan> fields_of(TextSpan line, char separator, std::size_t limit) {
  std::vector<TextSpan> fields;
  for (std::size_t i = 0; fields.size() < limit;) {
    const std::size_t end = std::min(line.text.find(separator, i), line.text.size());
    fields.push_back(trimmed(TextSpan{line.text.substr(i, end - i), line.offset + i}));
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

bool is_not_told(std::string_view text) {
  constexpr std::array<std::string_view, 10> kUnknown = {
      "N/A",           "n/a",
      "Not Supported", "Not Available",
      "Not Found",     "Unknown",
      "Unknown Error", "Requested functionality has been deprecated",
      "ERR!",          "Insufficient Permissions"};
  if (text.empty() || text.front() == '[') return true;
  return std::ranges::find(kUnknown, text) != kUnknown.end();
}

}  // namespace vgsim::topology
