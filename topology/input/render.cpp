#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/input/text_cells.hpp"

namespace vgsim::input {
namespace {

constexpr std::size_t kColumnsBeforeCaret = 60;
constexpr std::size_t kColumnsShown = 100;
/// Bytes of a line considered before and after the caret; more than is ever shown.
constexpr std::size_t kContextBytes = 1000;
/// Most bytes shown of a message, a pointer or a path.
constexpr std::size_t kMaxShownBytes = 1000;

/// The part of one line around the caret, ready to print.
struct Snippet {
  std::string line;
  std::size_t caret_column = 0;
  std::size_t caret_width = 0;
};

/// The line of the location, cut to a window around the caret.
struct LineWindow {
  std::string_view text;
  std::size_t caret = 0;   ///< Offset of the caret in `text`.
  std::size_t length = 0;  ///< Bytes marked, all inside `text`.
  bool cut_before = false;
  bool cut_after = false;
};

LineWindow window_around(const Location& location) {
  const std::string_view text = location.source->text;
  const std::size_t at = std::min(location.offset, text.size());
  const std::size_t newline = at == 0 ? text.npos : text.rfind('\n', at - 1);
  std::size_t begin = newline == text.npos ? 0 : newline + 1;
  std::size_t end = std::min(text.find('\n', at), text.size());
  if (begin == 0 && text.starts_with("\xEF\xBB\xBF")) begin = std::min<std::size_t>(3, at);
  if (end > at && text[end - 1] == '\r') --end;
  LineWindow window;
  window.cut_before = at - begin > kContextBytes;
  if (window.cut_before) {
    begin = at - kContextBytes;
    while (begin < at && static_cast<unsigned char>(text[begin]) >> 6 == 2) ++begin;
  }
  window.cut_after = end - at > kContextBytes;
  if (window.cut_after) end = at + kContextBytes;
  window.text = text.substr(begin, end - begin);
  window.caret = at - begin;
  window.length = std::min(location.length, end - at);
  return window;
}

std::size_t total_width(const std::vector<Cell>& cells, std::size_t first, std::size_t last) {
  std::size_t width = 0;
  for (std::size_t i = first; i < last; ++i) width += cells[i].width;
  return width;
}

/// Index of the first cell at or after a byte offset.
std::size_t cell_at(const std::vector<Cell>& cells, std::size_t offset) {
  const auto cell = std::partition_point(cells.begin(), cells.end(),
                                         [offset](const Cell& c) { return c.offset < offset; });
  return static_cast<std::size_t>(cell - cells.begin());
}

Snippet make_snippet(const Location& location) {
  const LineWindow window = window_around(location);
  const std::vector<Cell> cells = to_cells(window.text);
  const std::size_t caret = cell_at(cells, window.caret);
  const std::size_t caret_end = cell_at(cells, window.caret + window.length);
  std::size_t first = caret;
  std::size_t before = 0;
  while (first > 0 && before + cells[first - 1].width <= kColumnsBeforeCaret) {
    before += cells[--first].width;
  }
  std::size_t last = caret;
  std::size_t shown = before;
  while (last < cells.size() && shown + cells[last].width <= kColumnsShown) {
    shown += cells[last++].width;
  }
  Snippet snippet;
  if (window.cut_before || first > 0) snippet.line = "...";
  snippet.caret_column = snippet.line.size() + before;
  for (std::size_t i = first; i < last; ++i) snippet.line += cells[i].shown;
  if (window.cut_after || last < cells.size()) snippet.line += "...";
  const std::size_t marked = total_width(cells, caret, std::min(caret_end, last));
  snippet.caret_width = std::max<std::size_t>(marked, 1);
  return snippet;
}

/// The text made printable and cut to a readable length.
std::string shortened(std::string_view text) {
  if (text.size() <= kMaxShownBytes) return printable(text);
  std::size_t end = kMaxShownBytes;
  while (end > 0 && static_cast<unsigned char>(text[end]) >> 6 == 2) --end;
  return printable(text.substr(0, end)) + "...";
}

std::string suggestion_text(const std::vector<std::string>& suggestions) {
  std::string text;
  for (std::size_t i = 0; i < suggestions.size(); ++i) {
    const bool last = i + 1 == suggestions.size();
    text += i == 0 ? "did you mean " : last ? " or " : ", ";
    text += '"' + shortened(suggestions[i]) + '"';
  }
  return text.empty() ? text : text + "?";
}

std::string_view severity_word(Severity severity) {
  return severity == Severity::error ? "error" : "warning";
}

void render_item(const Diagnostic& item, std::string& out) {
  const std::string hint = suggestion_text(item.suggestions);
  auto to = std::back_inserter(out);
  if (item.location.source != nullptr) {
    const auto [line, column] = line_column(item.location);
    fmt::format_to(to, "{}:{}:{}: ", shortened(item.location.source->path), line, column);
  }
  fmt::format_to(to, "{} {}: {}\n", severity_word(item.severity), item.code,
                 shortened(item.message));
  if (item.location.source != nullptr) {
    const Snippet snippet = make_snippet(item.location);
    const std::string number = std::to_string(line_column(item.location).line);
    fmt::format_to(to, "{:>4} | {}\n", number, snippet.line);
    fmt::format_to(to, "{:{}} | {:{}}{:^^{}}", "", std::max<std::size_t>(number.size(), 4), "",
                   snippet.caret_column, "", snippet.caret_width);
    out += hint.empty() ? "\n" : " " + hint + "\n";
  } else if (!hint.empty()) {
    out += "   " + hint + "\n";
  }
  if (!item.pointer.empty()) out += "   at " + shortened(item.pointer) + "\n";
  if (!item.expected.empty()) out += "   expected " + shortened(item.expected) + "\n";
  out += '\n';
}

/// "3 errors", or nothing for none.
std::string counted(std::size_t count, Severity severity) {
  if (count == 0) return {};
  return fmt::format("{} {}{}", count, severity_word(severity), count == 1 ? "" : "s");
}

}  // namespace

void expect_no_errors(const Diagnostics& diagnostics) {
  if (diagnostics.has_errors()) throw std::logic_error(render(diagnostics, 1));
}

std::string render(const Diagnostics& diagnostics, std::size_t max_errors) {
  std::string out;
  std::size_t errors = 0;
  std::size_t warnings = 0;
  for (const Diagnostic& item : diagnostics.items()) {
    std::size_t& count = item.severity == Severity::error ? errors : warnings;
    if (count++ < max_errors) render_item(item, out);
  }
  std::size_t hidden =
      errors - std::min(errors, max_errors) + warnings - std::min(warnings, max_errors);
  hidden += diagnostics.dropped(Severity::error) + diagnostics.dropped(Severity::warning);
  errors += diagnostics.dropped(Severity::error);
  warnings += diagnostics.dropped(Severity::warning);
  if (errors + warnings == 0) return out;
  out += counted(errors, Severity::error);
  if (errors > 0 && warnings > 0) out += ", ";
  out += counted(warnings, Severity::warning);
  if (hidden > 0) out += fmt::format("; {} more not shown", hidden);
  return out + "\n";
}

}  // namespace vgsim::input
