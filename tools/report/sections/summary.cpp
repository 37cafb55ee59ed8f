// The figures of a terminal's first screen as a table that fits on the first printed sheet: the
// most important rows, layouts side by side; many layouts are rows, the fastest first.

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "models/scenario/answer/figures.hpp"
#include "models/scenario/answer/ranked_layouts.hpp"
#include "tools/report/facts.hpp"
#include "tools/report/sections/sections.hpp"
#include "tools/report/text.hpp"
#include "tools/text/figure_rows.hpp"
#include "tools/text/fitting.hpp"
#include "tools/text/operations.hpp"
#include "tools/text/words.hpp"

namespace vgsim::report {
namespace {

using scenario::LayoutResult;
using text::LayoutRow;

constexpr std::size_t kSideBySide = 6;
constexpr std::size_t kMostRows = 9;     ///< layouts side by side
constexpr std::size_t kMostColumns = 4;  ///< layouts below each other
constexpr std::size_t kMostLayouts = 8;  ///< below each other
constexpr std::size_t kLongestName = 60;

/// Operations of vSphere that the VMs of each layout do not have.
LayoutRow unavailable_row(const Report& report) {
  LayoutRow row{"unavailable", "unavailable", 3, {}};
  for (const LayoutResult& layout : report.result.layouts) {
    const auto titles = layout.refused || layout.is_bare_metal()
                            ? std::vector<std::string>()
                            : text::unavailable_operations(layout);
    row.cells.push_back(titles.empty() ? "-" : listed(titles));
  }
  return row;
}

/// At most that many rows, those of the lowest ranks, in their order; rows that a terminal does not
/// show come last.
std::vector<LayoutRow> most_important(std::vector<LayoutRow> rows, std::size_t most) {
  const auto rank_of = [](const LayoutRow& row) {
    return row.rank == scenario::Figure::kNotOnScreen ? std::numeric_limits<int>::max() : row.rank;
  };
  while (rows.size() > most) {
    rows.erase(std::max_element(rows.begin(), rows.end(), [&](const auto& a, const auto& b) {
      return rank_of(a) <= rank_of(b);
    }));
  }
  return rows;
}

/// Parts of an iteration are in the picture.
bool is_part(const LayoutRow& row, const scenario::ScenarioResult& result) {
  const auto parts = text::figure_rows(result, {}, text::RowsFor::kIteration);
  return row.label.starts_with("  of it") ||
         std::any_of(parts.begin(), parts.end(),
                     [&](const LayoutRow& part) { return part.label == row.label; });
}

std::vector<LayoutRow> rows_of(const Report& report, std::size_t most) {
  const bool trains =
      std::any_of(report.result.layouts.begin(), report.result.layouts.end(),
                  [](const LayoutResult& layout) { return layout.training.has_value(); });
  auto rows = text::figure_rows(report.result, scenario::ranked_groups(report.result),
                                trains ? text::RowsFor::kScreen : text::RowsFor::kReport);
  std::erase_if(rows, [&](const LayoutRow& row) { return is_part(row, report.result); });
  if (!trains) rows.push_back(text::limit_row(report.result));
  LayoutRow unavailable = unavailable_row(report);
  const bool any = std::any_of(unavailable.cells.begin(), unavailable.cells.end(),
                               [](const std::string& cell) { return cell != "-"; });
  if (any) rows.push_back(std::move(unavailable));
  rows = most_important(std::move(rows), most);
  for (LayoutRow& row : rows) {
    for (std::string& cell : row.cells) cell = grouped(std::move(cell));
  }
  return rows;
}

std::string name_of(const LayoutResult& layout) {
  return text::shortened(layout.name, kLongestName);
}

Table side_by_side(const Report& report) {
  Table table{{{"", false}}, {}};
  for (const LayoutResult& layout : report.result.layouts) {
    table.columns.push_back({name_of(layout), true});
  }
  for (const LayoutRow& row : rows_of(report, kMostRows)) {
    table.rows.push_back({row.label});
    table.rows.back().insert(table.rows.back().end(), row.cells.begin(), row.cells.end());
  }
  return table;
}

Table one_below_the_other(const Report& report) {
  const auto rows = rows_of(report, kMostColumns);
  Table table{{{"layout", false}}, {}};
  for (const LayoutRow& row : rows) table.columns.push_back({row.label, true});
  const auto add = [&](const LayoutResult& layout) {
    if (table.rows.size() == kMostLayouts) return;
    auto& cells = table.rows.emplace_back();
    cells.push_back(name_of(layout));
    const auto l = static_cast<std::size_t>(&layout - report.result.layouts.data());
    for (const LayoutRow& row : rows) cells.push_back(row.cells[l]);
  };
  for (const LayoutResult* layout : by_speed(report)) add(*layout);
  for (const LayoutResult& layout : report.result.layouts) {
    if (layout.refused) add(layout);
  }
  return table;
}

/// Where the time of the layouts differs, the sentence above has the order; the heading has what it
/// is compared by.
std::string heading_of(const Report& report) {
  const auto order = by_speed(report);
  if (order.empty()) return "No layout runs";
  return report.result.layouts.size() == 1
             ? fmt::format("{}: {}", named(*order.front()), speed_words(*order.front()))
             : fmt::format("{} compared", text::plural(report.result.layouts.size(), "layout"));
}

}  // namespace

std::optional<Section> summary_section(const Report& report) {
  const std::size_t count = report.result.layouts.size();
  Section section{"summary", "Result", heading_of(report), {}};
  section.blocks.emplace_back(count <= kSideBySide ? side_by_side(report)
                                                   : one_below_the_other(report));
  if (count > std::max(kSideBySide, kMostLayouts)) {
    section.blocks.emplace_back(Paragraph{
        fmt::format("The fastest {} of {}; the appendix has all.", kMostLayouts, count), true});
  }
  return section;
}

}  // namespace vgsim::report
