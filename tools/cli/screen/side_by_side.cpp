#include "tools/cli/screen/side_by_side.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "tools/text/fitting.hpp"
#include "tools/text/screen_lines.hpp"
#include "tools/text/table.hpp"
#include "topology/input/text_cells.hpp"

namespace vgsim::cli {
namespace {

constexpr std::size_t kGap = 2;  ///< between columns of a Table
/// Column heads are not cut shorter than this.
constexpr std::size_t kShortestHead = 16;
/// The same for the first cell of a row.
constexpr std::size_t kShortestName = 26;

std::size_t widest(const std::vector<std::string>& texts) {
  std::size_t width = 0;
  for (const std::string& text : texts) width = std::max(width, input::display_width(text));
  return width;
}

/// The most important rows, in their original order.
std::vector<const text::LayoutRow*> important(const std::vector<text::LayoutRow>& rows,
                                              std::size_t most) {
  std::vector<const text::LayoutRow*> chosen;
  for (const text::LayoutRow& row : rows) chosen.push_back(&row);
  std::stable_sort(
      chosen.begin(), chosen.end(),
      [](const text::LayoutRow* a, const text::LayoutRow* b) { return a->rank < b->rank; });
  chosen.resize(std::min(most, chosen.size()));
  std::sort(chosen.begin(), chosen.end());  // as they are elements of one vector
  return chosen;
}

/// The width of the longest column heads that fit; 0 if none fit.
std::size_t head_width(const SideBySide& table, const std::vector<const text::LayoutRow*>& rows) {
  std::size_t label = 0;
  std::vector<std::size_t> cells(table.names.size(), 0);
  for (const text::LayoutRow* row : rows) {
    label = std::max(label, input::display_width(row->label));
    for (std::size_t l = 0; l < cells.size(); ++l) {
      cells[l] = std::max(cells[l], input::display_width(row->cells[l]));
    }
  }
  const std::size_t longest = widest(table.names);
  for (std::size_t width = longest; width >= std::min(longest, kShortestHead); --width) {
    std::size_t sum = label;
    for (std::size_t l = 0; l < cells.size(); ++l) {
      sum += kGap + std::max(cells[l], std::min(width, input::display_width(table.names[l])));
    }
    if (sum <= table.columns) return width;
    if (width == 0) break;
  }
  return 0;
}

/// Figures that fit next to a name of at least that width, important ones first.
std::vector<const text::LayoutRow*> columns_that_fit(const SideBySide& table, std::size_t name) {
  std::vector<const text::LayoutRow*> chosen;
  std::size_t left = table.columns - std::min(name, table.columns);
  for (const text::LayoutRow* row : important(table.rows, table.rows.size())) chosen.push_back(row);
  std::stable_sort(
      chosen.begin(), chosen.end(),
      [](const text::LayoutRow* a, const text::LayoutRow* b) { return a->rank < b->rank; });
  std::erase_if(chosen, [&](const text::LayoutRow* row) {
    const std::size_t width = kGap + std::max(input::display_width(row->head), widest(row->cells));
    if (width > left) return true;
    left -= width;
    return false;
  });
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

std::vector<std::size_t> file_order(std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

}  // namespace

std::vector<std::string> in_columns(const SideBySide& table) {
  const auto rows =
      important(table.rows, table.lines == 0 ? table.rows.size()
                                             : table.lines - std::min<std::size_t>(1, table.lines));
  const std::size_t width = head_width(table, rows);
  if (width == 0) return {};
  text::Table text;
  std::vector<std::string> head = text::short_names(table.names, width);
  head.insert(head.begin(), "");
  text.add_row(std::move(head));
  for (const text::LayoutRow* row : rows) {
    std::vector<std::string> cells{row->label};
    cells.insert(cells.end(), row->cells.begin(), row->cells.end());
    text.add_row(std::move(cells));
  }
  return text::lines_of(text);
}

std::vector<std::string> one_below_the_other(const SideBySide& table) {
  const std::size_t longest = widest(table.names);
  const auto figures = columns_that_fit(table, std::min(longest, kShortestName));
  std::size_t taken = 0;
  for (const text::LayoutRow* row : figures) {
    taken += kGap + std::max(input::display_width(row->head), widest(row->cells));
  }
  const auto names = text::short_names(table.names, std::min(longest, table.columns - taken));
  const std::size_t rows = table.lines - std::min<std::size_t>(1, table.lines);
  const bool all = table.names.size() <= rows;
  const auto order = all ? file_order(table.names.size()) : table.order;
  const std::size_t shown =
      all ? order.size() : std::min(rows - std::min<std::size_t>(1, rows), order.size());
  text::Table text;
  std::vector<std::string> head{""};
  for (const text::LayoutRow* row : figures) head.push_back(row->head);
  text.add_row(std::move(head));
  for (std::size_t i = 0; i < shown; ++i) {
    std::vector<std::string> cells{names[order[i]]};
    for (const text::LayoutRow* row : figures) cells.push_back(row->cells[order[i]]);
    text.add_row(std::move(cells));
  }
  auto lines = text::lines_of(text);
  if (!all) lines.push_back(fmt::format("{} more", table.names.size() - shown));
  return lines;
}

std::vector<std::string> side_by_side(const SideBySide& table) {
  auto lines = in_columns(table);
  return lines.empty() ? one_below_the_other(table) : lines;
}

}  // namespace vgsim::cli
