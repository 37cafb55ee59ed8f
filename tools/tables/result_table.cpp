#include "tools/tables/result_table.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "models/scenario/answer/figures.hpp"
#include "tools/cli/compare/subjects.hpp"

namespace vgsim::tables {
namespace {

using scenario::Metric;

/// Columns come as figures are met; a row is as long as the columns that it needs.
class FigureTable {
 public:
  explicit FigureTable(std::vector<std::string> columns) : table_{std::move(columns), {}} {}

  void add(std::vector<Cell> start, const std::vector<Metric>& metrics) {
    std::vector<Cell>& row = table_.rows.emplace_back(std::move(start));
    for (const Metric& metric : metrics) {
      put(row, metric.name, metric.value);
      if (metric.low) put(row, metric.name + "_low", *metric.low);
      if (metric.high) put(row, metric.name + "_high", *metric.high);
    }
  }

  Table take() && { return std::move(table_); }

 private:
  void put(std::vector<Cell>& row, const std::string& name, double value) {
    const auto [column, is_new] = index_.try_emplace(name, table_.columns.size());
    if (is_new) table_.columns.push_back(name);
    if (row.size() <= column->second) row.resize(column->second + 1);
    row[column->second] = value;
  }

  Table table_;
  std::map<std::string, std::size_t> index_;
};

bool is_refused(const nlohmann::ordered_json& layout) { return layout.value("refused", false); }

}  // namespace

Table result_table(const nlohmann::ordered_json& result) {
  FigureTable table({"layout", "refused"});
  for (const auto& [name, layout] : result.at("layouts").items()) {
    table.add({name, is_refused(layout)}, scenario::metrics_of(layout));
  }
  return std::move(table).take();
}

Table comparison_table(const std::vector<cli::Subject>& subjects) {
  FigureTable table({"file", "layout", "refused"});
  for (const cli::Subject& subject : subjects) {
    table.add({subject.file, subject.name, is_refused(subject.result)}, subject.metrics);
  }
  return std::move(table).take();
}

}  // namespace vgsim::tables
