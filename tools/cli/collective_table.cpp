#include "tools/cli/collective_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "tools/cli/table.hpp"

namespace vgsim::cli {
namespace {

using scenario::CollectivePoint;
using scenario::LayoutResult;
using scenario::ScenarioResult;

std::vector<std::string> collective_row(const ScenarioResult& result, std::size_t i) {
  std::vector<std::string> row{""};
  for (const LayoutResult& layout : result.layouts) {
    if (!layout.collective || i >= layout.collective->points.size()) {
      row.insert(row.end(), {"-", "-", "-"});
      continue;
    }
    const CollectivePoint& point = layout.collective->points[i];
    row.front() = fmt::format("{:>12}", point.size.count());
    row.insert(row.end(),
               {fmt::format("{:.2f}", to_seconds(point.time) * 1e6),
                fmt::format("{:.2f}", point.algbw_GBps), fmt::format("{:.2f}", point.busbw_GBps)});
  }
  return row;
}

}  // namespace

std::string collectives_text(const ScenarioResult& result) {
  Table table;
  std::vector<std::string> names{"all_reduce"};
  std::vector<std::string> columns{"size"};
  std::vector<std::string> units{"(B)"};
  for (const LayoutResult& layout : result.layouts) {
    names.insert(names.end(), {"", "", layout.name});
    columns.insert(columns.end(), {"time", "algbw", "busbw"});
    units.insert(units.end(), {"(us)", "(GB/s)", "(GB/s)"});
  }
  table.add_row(std::move(names));
  table.add_row(std::move(columns));
  table.add_row(std::move(units));
  std::size_t rows = 0;
  for (const LayoutResult& layout : result.layouts) {
    rows = std::max(rows, layout.collective ? layout.collective->points.size() : 0);
  }
  for (std::size_t i = 0; i < rows; ++i) table.add_row(collective_row(result, i));
  return table.text();
}

}  // namespace vgsim::cli
