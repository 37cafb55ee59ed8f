// The last column of a table that is too wide is wrapped if it holds words; otherwise the table
// becomes a card per row, if allowed, or several tables below each other.

#include "tools/report/plain_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <sstream>
#include <vector>

#include "tools/text/fitting.hpp"
#include "tools/text/table.hpp"
#include "topology/input/text_cells.hpp"

namespace vgsim::report {
namespace {

constexpr std::size_t kGap = 2;           ///< blanks between columns
constexpr std::size_t kFewestWords = 24;  ///< least readable width of text

using Cells = std::vector<std::string>;

std::vector<Cells> rows_with_names(const Table& table) {
  std::vector<Cells> rows;
  Cells names;
  for (const Column& column : table.columns) names.push_back(column.name);
  const bool named = std::any_of(names.begin(), names.end(), [](const auto& n) { return n != ""; });
  if (named) rows.push_back(std::move(names));
  rows.insert(rows.end(), table.rows.begin(), table.rows.end());
  return rows;
}

std::vector<std::size_t> widths_of(const std::vector<Cells>& rows) {
  std::vector<std::size_t> widths;
  for (const Cells& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) {
      widths[c] = std::max(widths[c], input::display_width(row[c]));
    }
  }
  return widths;
}

std::size_t sum_of(const std::vector<std::size_t>& widths) {
  return std::accumulate(widths.begin(), widths.end(), kGap * widths.size()) - kGap;
}

/// A part of the columns of a table: the first one, and `begin` to `end`.
std::string some_columns(const Table& table, const std::vector<Cells>& rows, std::size_t begin,
                         std::size_t end) {
  std::set<std::size_t> left;
  for (std::size_t c = begin; c < end; ++c) {
    if (!table.columns[c].number) left.insert(c - begin + 1);
  }
  text::Table shown(left);
  for (const Cells& row : rows) {
    Cells cells{row.front()};
    for (std::size_t c = begin; c < std::min(end, row.size()); ++c) cells.push_back(row[c]);
    shown.add_row(std::move(cells));
  }
  return shown.text();
}

std::string all_columns(const Table& table, const std::vector<Cells>& rows) {
  return some_columns(table, rows, 1, table.columns.size());
}

/// The rows with the text of their last column wrapped: a row for each line.
std::vector<Cells> with_broken_words(const std::vector<Cells>& rows, std::size_t columns) {
  std::vector<Cells> broken;
  for (const Cells& row : rows) {
    std::istringstream lines(text::wrap(row.back(), 0, columns));
    std::string line;
    std::getline(lines, line);
    broken.push_back(row);
    broken.back().back() = line;
    while (std::getline(lines, line)) {
      broken.emplace_back(row.size(), "");
      broken.back().back() = line;
    }
  }
  return broken;
}

/// The last column of each row on separate lines.
std::string words_below(const Table& table, const std::vector<Cells>& rows, std::size_t columns) {
  constexpr std::size_t kIndent = 4;
  std::istringstream lines(some_columns(table, rows, 1, table.columns.size() - 1));
  std::string text;
  std::string line;
  for (const Cells& row : rows) {
    std::getline(lines, line);
    text += line + "\n";
    if (row.back().empty()) continue;
    text += std::string(kIndent, ' ') + text::wrap(row.back(), kIndent, columns - kIndent) + "\n";
  }
  return text;
}

std::string cards(const Table& table, std::size_t columns) {
  std::string text;
  for (const Cells& row : table.rows) {
    text += row.front() + "\n";
    for (std::size_t c = 1; c < row.size(); ++c) {
      if (row[c].empty()) continue;
      text += "  " +
              text::wrap(fmt::format("{}: {}", table.columns[c].name, row[c]), 4, columns - 2) +
              "\n";
    }
  }
  return text;
}

std::string table_text(const Table& table, std::size_t columns) {
  const auto rows = rows_with_names(table);
  if (rows.empty()) return {};
  const auto widths = widths_of(rows);
  if (sum_of(widths) <= columns || widths.size() < 2) return all_columns(table, rows);
  const std::size_t others = sum_of(widths) - widths.back();
  if (!table.columns.back().number && others + kFewestWords <= columns) {
    return all_columns(table, with_broken_words(rows, columns - others));
  }
  if (!table.columns.back().number && others - kGap <= columns)
    return words_below(table, rows, columns);
  if (table.narrow == Narrow::kStacks) return cards(table, columns);
  std::string text;
  for (std::size_t begin = 1, end = 1; begin < widths.size(); begin = end) {
    std::size_t width = widths.front();
    while (end < widths.size() && (end == begin || width + kGap + widths[end] <= columns)) {
      width += kGap + widths[end++];
    }
    text += (text.empty() ? "" : "\n") + some_columns(table, rows, begin, end);
  }
  return text;
}

std::string finding_text(const FindingNote& note, std::size_t columns) {
  const std::string layouts = note.layouts.empty() ? "" : fmt::format("[{}] ", note.layouts);
  const std::string remedy = note.remedy.empty() ? "" : ". To do: " + note.remedy;
  return "- " +
         text::wrap(fmt::format("{}: {}{} [{}{}]{}", note.verdict, layouts, note.text, note.rule,
                                note.confidence.empty() ? "" : ", " + note.confidence, remedy),
                    2, columns - 2) +
         "\n";
}

std::string blocks_text(const std::vector<Block>& blocks, std::size_t columns);

struct ToText {
  std::size_t columns;

  std::string operator()(const Paragraph& paragraph) const {
    return text::wrap(paragraph.text, 0, columns) + "\n";
  }
  std::string operator()(const Table& table) const { return table_text(table, columns); }
  std::string operator()(const Figure& figure) const {
    std::string text = figure.heading.empty() ? "" : figure.heading + "\n";
    return text + table_text(figure.data, columns);
  }
  std::string operator()(const Findings& findings) const {
    std::string text;
    for (const FindingNote& note : findings.notes) text += finding_text(note, columns);
    return text;
  }
  std::string operator()(const List& list) const {
    std::string text;
    for (const std::string& item : list.items) {
      text += "- " + text::wrap(item, 2, columns - 2) + "\n";
    }
    return text;
  }
  std::string operator()(const Listing& listing) const {
    return fmt::format("{}:\n{}\n", listing.summary, listing.text);
  }
  std::string operator()(const Details& details) const {
    return fmt::format("{}\n{}", details.summary, blocks_text(details.blocks, columns));
  }
};

std::string blocks_text(const std::vector<Block>& blocks, std::size_t columns) {
  std::string text;
  for (const Block& block : blocks) {
    text += (text.empty() ? "" : "\n") + std::visit(ToText{columns}, block);
  }
  return text;
}

}  // namespace

std::string details_text(const Page& page, std::size_t columns) {
  std::string text =
      fmt::format("{}\n{}\n{}\n", text::wrap(page.title, 0, columns),
                  text::wrap(page.subject, 0, columns), text::wrap(page.knowledge, 0, columns));
  for (const Section& section : page.sections) {
    text += fmt::format(
        "\n{}\n", text::wrap(fmt::format("{}: {}", section.topic, section.heading), 2, columns));
    text += blocks_text(section.blocks, columns);
  }
  return text;
}

std::string to_text(const Page& page, std::size_t columns) {
  std::string text;
  for (const std::string& sentence : page.verdict) text += text::wrap(sentence, 0, columns) + "\n";
  return text + "\n" + details_text(page, columns);
}

}  // namespace vgsim::report
