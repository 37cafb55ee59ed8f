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

/// Small and large values stay legible: a format has up to three ranges.
const char* number_format(scenario::MetricUnit unit) {
  using scenario::MetricUnit;
  switch (unit) {
    case MetricUnit::kSeconds:
      return R"([<0.001]0.000E+00" s";[<1]0.00000" s";#,##0.00" s")";
    case MetricUnit::kPerSecond:
      return R"(#,##0.0"/s")";
    case MetricUnit::kShare:
      return "0.0%";
    case MetricUnit::kBytes:
      return R"([>=1000000000]#,##0.00,,," GB";[>=1000000]#,##0.00,," MB";#,##0" B")";
    case MetricUnit::kGBps:
      return R"([<0.1]0.000E+00" GB/s";#,##0.00" GB/s")";
    case MetricUnit::kFlops:
      return R"([>=1000000000]#,##0.00,,,," TFLOP/s";#,##0" FLOP/s")";
    case MetricUnit::kCount:
      return "[>=1000]#,##0;General";
    case MetricUnit::kHours:
      return R"(#,##0.00" h")";
    case MetricUnit::kKwh:
      return R"(#,##0.00" kWh")";
    case MetricUnit::kMoney:
      return "#,##0.00";
  }
  return "";
}

std::string without_bound(const std::string& column) {
  for (const std::string bound : {"_low", "_high"}) {
    if (column.ends_with(bound)) return column.substr(0, column.size() - bound.size());
  }
  return column;
}

}  // namespace

std::vector<ColumnFormat> figure_formats(const std::vector<std::string>& columns) {
  std::vector<ColumnFormat> formats;
  for (const std::string& column : columns) {
    const auto metric = scenario::metric_named(without_bound(column));
    formats.push_back({metric ? number_format(metric->unit) : ""});
  }
  return formats;
}

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
  table.formats = figure_formats(table.columns);
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
