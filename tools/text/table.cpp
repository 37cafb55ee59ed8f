#include "tools/text/table.hpp"

#include <algorithm>

#include "topology/input/text_cells.hpp"

namespace vgsim::text {
namespace {

std::string blanks_for(const std::string& cell, std::size_t width) {
  return std::string(width - input::display_width(cell), ' ');
}

}  // namespace

std::string Table::text() const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    if (row.size() > widths.size()) widths.resize(row.size());
    for (std::size_t c = 0; c < row.size(); ++c) {
      widths[c] = std::max(widths[c], input::display_width(row[c]));
    }
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string blanks = blanks_for(row[c], widths[c]);
      if (c > 0) line += "  ";
      line += c == 0 || left_.contains(c) ? row[c] + blanks : blanks + row[c];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line;
    text += '\n';
  }
  return text;
}

std::string wrap(const std::string& text, std::size_t indent, std::size_t width) {
  std::string result;
  std::size_t column = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    const std::size_t columns = input::display_width(word);
    if (column > indent && column + 1 + columns > width) {
      result += '\n';
      result.append(indent, ' ');
      column = indent;
    } else if (column > 0) {
      result += ' ';
      ++column;
    }
    result += word;
    column += columns;
    begin = end + 1;
  }
  return result;
}

}  // namespace vgsim::text
