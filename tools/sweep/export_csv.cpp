#include <fmt/format.h>

#include <algorithm>

#include "tools/sweep/export_table.hpp"
#include "tools/sweep/point_row.hpp"
#include "tools/tables/table_file.hpp"

namespace vgsim::sweep {
namespace {

using Json = nlohmann::ordered_json;

std::string set_field(const PointRow& row, const std::string& pointer) {
  const auto value = row.set.find(pointer);
  if (value == row.set.end() || value->is_null()) return {};
  return tables::csv_text(value->is_string() ? value->get<std::string>() : value->dump());
}

std::string joined(const std::vector<std::string>& texts, const char* between) {
  return tables::csv_text(fmt::format("{}", fmt::join(texts, between)));
}

std::string start_of(const ExportColumns& columns, const PointRow& row) {
  std::string text = std::to_string(row.index);
  for (const std::string& pointer : columns.pointers) text += ',' + set_field(row, pointer);
  return text;
}

std::string layout_row(const ExportColumns& columns, const LayoutRow& layout) {
  std::string text = ',' + tables::csv_text(layout.name);
  for (const std::string& name : columns.metrics) {
    text += ',';
    const auto found = std::find_if(layout.metrics.begin(), layout.metrics.end(),
                                    [&](const auto& metric) { return metric.first == name; });
    if (found != layout.metrics.end()) text += fmt::format("{}", found->second);
  }
  text += layout.refused ? ",true," : ",false,";
  return text + joined(layout.rules, " ") + ',' + layout.fingerprint + ",\r\n";
}

}  // namespace

std::string csv_header(const ExportColumns& columns) {
  std::string text = "index";
  for (const std::string& pointer : columns.pointers) text += ',' + tables::csv_text(pointer);
  text += ",layout";
  for (const std::string& name : columns.metrics) text += ',' + tables::csv_text(name);
  return text + ",refused,rules,fingerprint,error\r\n";
}

std::string csv_rows(const ExportColumns& columns, std::string_view line) {
  const PointRow row = read_point(line);
  const std::string start = start_of(columns, row);
  if (!row.failed.empty()) {
    const std::string empty(columns.metrics.size() + 5, ',');
    return start + empty + joined(row.reasons, "; ") + "\r\n";
  }
  std::string text;
  for (const LayoutRow& layout : row.layouts) text += start + layout_row(columns, layout);
  return text;
}

}  // namespace vgsim::sweep
