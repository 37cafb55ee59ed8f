#include <fmt/format.h>

#include <map>

#include "tools/sweep/export_table.hpp"
#include "tools/sweep/point_row.hpp"
#include "tools/sweep/store_error.hpp"
#include "tools/sweep/store_reader.hpp"
#include "tools/tables/result_table.hpp"

namespace vgsim::sweep {
namespace {

using tables::Cell;

Cell set_cell(const PointRow& row, const std::string& pointer) {
  const auto value = row.set.find(pointer);
  if (value == row.set.end() || value->is_null()) return {};
  if (value->is_number()) return value->get<double>();
  return value->is_string() ? value->get<std::string>() : value->dump();
}

std::vector<Cell> start_of_row(const ExportColumns& columns, const PointRow& row) {
  std::vector<Cell> cells = {static_cast<double>(row.index)};
  for (const std::string& pointer : columns.pointers) cells.push_back(set_cell(row, pointer));
  return cells;
}

void add_layout(const ExportColumns& columns, const LayoutRow& layout, std::vector<Cell>& cells) {
  const std::map<std::string, double> values(layout.metrics.begin(), layout.metrics.end());
  cells.emplace_back(layout.name);
  for (const std::string& name : columns.metrics) {
    const auto value = values.find(name);
    cells.push_back(value == values.end() ? Cell() : Cell(value->second));
  }
  cells.emplace_back(layout.refused);
  cells.emplace_back(fmt::format("{}", fmt::join(layout.rules, " ")));
  cells.emplace_back(layout.fingerprint);
}

}  // namespace

std::string xlsx_of(const std::string& store, const StoreHeader& header,
                    const ExportColumns& columns) {
  tables::Table table;
  table.columns = {"index"};
  table.columns.insert(table.columns.end(), columns.pointers.begin(), columns.pointers.end());
  table.columns.emplace_back("layout");
  table.columns.insert(table.columns.end(), columns.metrics.begin(), columns.metrics.end());
  for (const char* name : {"refused", "rules", "fingerprint", "error"}) {
    table.columns.emplace_back(name);
  }
  static_cast<void>(read_store(store, header, [&](std::string_view line) {
    const PointRow row = read_point(line);
    for (const LayoutRow& layout : row.layouts) {
      table.rows.push_back(start_of_row(columns, row));
      add_layout(columns, layout, table.rows.back());
    }
    if (!row.failed.empty()) {
      table.rows.push_back(start_of_row(columns, row));
      table.rows.back().resize(table.columns.size() - 1);
      table.rows.back().emplace_back(fmt::format("{}", fmt::join(row.reasons, "; ")));
    }
    if (table.rows.size() < tables::kMostXlsxRows) return;
    throw StoreError(fmt::format("more rows than a sheet has ({}): export .csv or .sqlite",
                                 tables::kMostXlsxRows));
  }));
  table.formats = tables::figure_formats(table.columns);
  table.about = {{"vgsim", header.vgsim},
                 {"sweep", header.sweep},
                 {"points", std::to_string(header.points)},
                 {"digest of the sweep", header.digest},
                 {"digest of the models", header.models}};
  return tables::table_bytes(table, tables::TableKind::kXlsx);
}

}  // namespace vgsim::sweep
