#include "tools/report/text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace vgsim::report {
namespace {

/// Thousandths of the font size, from blank to tilde: the metrics of Helvetica (Adobe, 1997).
constexpr std::array<std::uint16_t, 95> kWidths = {
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584};
constexpr double kMargin = 1.05;  ///< for fonts that are a little wider
constexpr std::string_view kEllipsis = "\u2026";
constexpr std::string_view kNoBreak = "\u00A0";

/// Bytes of the character that begins here (UTF-8).
std::size_t bytes_at(std::string_view text, std::size_t i) {
  std::size_t n = 1;
  while (i + n < text.size() && (static_cast<unsigned char>(text[i + n]) & 0xC0U) == 0x80U) ++n;
  return n;
}

double character_width(std::string_view character) {
  const auto c = static_cast<unsigned char>(character.front());
  if (c >= 0x20 && c < 0x7F) return kWidths[c - 0x20U];
  constexpr double kLatin = 600;
  constexpr double kIdeograph = 1000;
  return character.size() > 2 ? kIdeograph : kLatin;
}

std::string replaced(std::string_view text, std::string (*replacement)(char)) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) out += replacement(c);
  return out;
}

bool precedes_unit(std::string_view text, std::size_t blank) {
  constexpr std::array<std::string_view, 24> kUnits{
      "%",  "ps", "ns",  "us",  "ms",  "s",   "min",  "h",    "d",    "B",      "kB",      "MB",
      "GB", "TB", "KiB", "MiB", "GiB", "TiB", "MB/s", "GB/s", "TB/s", "Gbit/s", "TFLOP/s", "kWh"};
  if (blank == 0 || text[blank - 1] < '0' || text[blank - 1] > '9') return false;
  const std::size_t end = std::min(text.find_first_of(" ,.;:)", blank + 1), text.size());
  const std::string_view word = text.substr(blank + 1, end - blank - 1);
  return std::find(kUnits.begin(), kUnits.end(), word) != kUnits.end();
}

std::string html_of(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      break;
  }
  const bool control = static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t';
  return control ? std::string("\uFFFD") : std::string(1, c);
}

std::string markdown_of(char c) {
  constexpr std::string_view kMarks = "\\`*_[]<>|#&~";
  if (c == '\n' || c == '\r') return " ";
  return kMarks.find(c) == std::string_view::npos ? std::string(1, c) : std::string("\\") + c;
}

std::string json_of(char c) {
  switch (c) {
    case '<':
      return "\\u003c";
    case '>':
      return "\\u003e";
    case '&':
      return "\\u0026";
    default:
      return std::string(1, c);
  }
}

}  // namespace

std::string escaped(std::string_view text) { return replaced(text, &html_of); }
std::string with_arrows(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kArrows{
      {{" <-> ", " \u2194 "}, {" -> ", " \u2192 "}}};
  std::string drawn(text);
  for (const auto& [written, arrow] : kArrows) {
    for (std::size_t at = drawn.find(written); at != std::string::npos; at = drawn.find(written)) {
      drawn.replace(at, written.size(), arrow);
    }
  }
  return drawn;
}

std::string typeset(std::string_view text) {
  std::string joined;
  for (std::size_t i = 0; i < text.size(); ++i) {
    joined +=
        text[i] == ' ' && precedes_unit(text, i) ? std::string(kNoBreak) : std::string(1, text[i]);
  }
  return escaped(with_arrows(joined));
}

std::string escaped_markdown(std::string_view text) {
  return replaced(with_arrows(text), &markdown_of);
}
std::string grouped(std::string figure) {
  constexpr std::size_t kLeast = 5;
  std::size_t end = figure.find_first_not_of("0123456789");
  if (end == std::string::npos) end = figure.size();
  if (end < kLeast) return figure;
  for (std::size_t at = end - 3; at > 0; at = at > 3 ? at - 3 : 0) figure.insert(at, ",");
  return figure;
}

std::string escaped_json(std::string_view json) { return replaced(json, &json_of); }

double text_width(std::string_view text, double size) {
  double thousandths = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t n = bytes_at(text, i);
    thousandths += character_width(text.substr(i, n));
    i += n;
  }
  return thousandths / 1000 * size * kMargin;
}

std::string shortened(std::string_view text, double size, double width) {
  if (text_width(text, size) <= width) return std::string(text);
  const double room = width - text_width(kEllipsis, size);
  std::size_t end = 0;
  while (end < text.size()) {
    const std::size_t n = bytes_at(text, end);
    if (text_width(text.substr(0, end + n), size) > room) break;
    end += n;
  }
  while (end > 0 && text[end - 1] == ' ') --end;
  return std::string(text.substr(0, end)) + std::string(kEllipsis);
}

std::vector<std::string> lines_of(std::string_view text, double size, double width,
                                  std::size_t most) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  while (begin < text.size()) {
    if (lines.size() + 1 == most) {
      lines.push_back(shortened(text.substr(begin), size, width));
      break;
    }
    std::size_t end = begin;
    for (std::size_t blank = begin; blank < text.size();) {
      blank = std::min(text.find(' ', blank + 1), text.size());
      if (end > begin && text_width(text.substr(begin, blank - begin), size) > width) break;
      end = blank;
    }
    lines.push_back(shortened(text.substr(begin, end - begin), size, width));
    begin = std::min(end + 1, text.size());
  }
  return lines;
}

}  // namespace vgsim::report
