#include "tools/tables/result_table.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "models/scenario/answer/figures.hpp"

namespace vgsim::tables {
namespace {

/// Puts a figure in the column of its name, and adds the column if it is new.
void put(Table& table, std::map<std::string, std::size_t>& columns, std::vector<Cell>& row,
         const std::string& name, double value) {
  const auto [column, is_new] = columns.try_emplace(name, table.columns.size());
  if (is_new) table.columns.push_back(name);
  if (row.size() <= column->second) row.resize(column->second + 1);
  row[column->second] = value;
}

}  // namespace

Table figure_table(std::vector<std::string> start, const std::vector<FigureRow>& rows) {
  Table table{std::move(start), {}};
  std::map<std::string, std::size_t> columns;
  for (const FigureRow& each : rows) {
    std::vector<Cell>& row = table.rows.emplace_back(each.start);
    for (const scenario::Metric& figure : each.figures) {
      put(table, columns, row, figure.name, figure.value);
      if (figure.low) put(table, columns, row, figure.name + "_low", *figure.low);
      if (figure.high) put(table, columns, row, figure.name + "_high", *figure.high);
    }
  }
  return table;
}

Table result_table(const nlohmann::ordered_json& result) {
  std::vector<FigureRow> rows;
  for (const auto& [name, layout] : result.at("layouts").items()) {
    rows.push_back({{name, layout.value("refused", false)}, scenario::metrics_of(layout)});
  }
  return figure_table({"layout", "refused"}, rows);
}

}  // namespace vgsim::tables
