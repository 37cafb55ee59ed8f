#include "tools/text/fitting.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "topology/input/text_cells.hpp"

namespace vgsim::text {
namespace {

constexpr const char* kEllipsis = "…";

/// The most cells that fit, from the front or from the back.
std::string cells_that_fit(const std::vector<input::Cell>& cells, std::size_t columns, bool back) {
  std::string text;
  std::size_t width = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const input::Cell& cell = cells[back ? cells.size() - 1 - i : i];
    if (width + cell.width > columns) break;
    width += cell.width;
    text = back ? cell.shown + text : text + cell.shown;
  }
  return text;
}

/// "interle…batches".
std::string cut_in_the_middle(const std::string& name, std::size_t columns) {
  if (input::display_width(name) <= columns) return input::printable(name);
  const auto cells = input::to_cells(name);
  const std::size_t tail = (columns - 1) / 2;
  return cells_that_fit(cells, columns - 1 - tail, false) + kEllipsis +
         cells_that_fit(cells, tail, true);
}

bool all_differ(const std::vector<std::string>& names) {
  return std::set<std::string>(names.begin(), names.end()).size() == names.size();
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    // A number and its "%" stay on one line.
    if (word.starts_with('%') && !words.empty()) {
      words.back() += " " + word;
    } else if (!word.empty()) {
      words.push_back(word);
    }
    begin = end + 1;
  }
  return words;
}

}  // namespace

std::string shortened(std::string_view text, std::size_t columns) {
  const auto cells = input::to_cells(text);
  if (input::display_width(text) <= columns) return input::printable(text);
  if (columns == 0) return {};
  std::string front = cells_that_fit(cells, columns - 1, false);
  front.erase(front.find_last_not_of(' ') + 1);
  return front + kEllipsis;
}

std::vector<std::string> short_names(const std::vector<std::string>& names, std::size_t columns) {
  std::vector<std::string> shown;
  for (const std::string& name : names) shown.push_back(shortened(name, columns));
  if (all_differ(shown)) return shown;
  shown.clear();
  for (const std::string& name : names) shown.push_back(cut_in_the_middle(name, columns));
  if (all_differ(shown)) return shown;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string number = fmt::format(" #{}", i + 1);
    shown[i] = shortened(names[i], columns - std::min(columns, number.size())) + number;
  }
  return shown;
}

std::string names_listed(const std::vector<std::string>& names, std::size_t most,
                         const char* last) {
  const std::size_t shown = names.size() > most ? std::max<std::size_t>(most, 2) - 1 : names.size();
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    const bool is_last = i + 1 == names.size();
    text += (i == 0 ? "" : is_last ? fmt::format(" {} ", last) : ", ") + names[i];
  }
  if (shown < names.size()) text += fmt::format(" {} {} more", last, names.size() - shown);
  return text;
}

std::vector<std::string> paragraph(const std::string& label, const std::string& text,
                                   std::size_t columns, std::size_t most_lines) {
  const std::size_t indent = input::display_width(label);
  const std::size_t available = columns - indent;
  std::vector<std::string> lines{""};
  for (const std::string& word : words_of(input::printable(text))) {
    std::string& line = lines.back();
    const std::size_t width = input::display_width(line);
    if (line.empty()) {
      line = word;
    } else if (width + 1 + input::display_width(word) <= available) {
      line += " " + word;
    } else {
      lines.push_back(word);
    }
  }
  if (lines.size() > most_lines) {
    // The next word does not fit: appending it makes shortened() mark the cut.
    lines[most_lines - 1] += " " + lines[most_lines];
    lines.resize(most_lines);
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    lines[i] = (i == 0 ? label : std::string(indent, ' ')) + shortened(lines[i], available);
  }
  return lines;
}

}  // namespace vgsim::text
