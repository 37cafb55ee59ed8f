#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "tools/report/facts.hpp"
#include "tools/report/sections/sections.hpp"

namespace vgsim::report {
namespace {

using scenario::LayoutResult;

double cores_in_use(const LayoutResult& layout) {
  double all = 0;
  for (const auto& [cause, cores] : layout.training->cores_by_cause) all += cores;
  return all;
}

std::string cores_text(double cores) { return cores > 0 ? fmt::format("{:.1f}", cores) : "-"; }

template <class CoresOf>
void add_row(const std::string& name, const std::vector<const LayoutResult*>& layouts,
             CoresOf cores_of, Table& table) {
  auto& cells = table.rows.emplace_back();
  cells.push_back(name);
  for (const LayoutResult* layout : layouts) cells.push_back(cores_text(cores_of(*layout)));
}

}  // namespace

std::optional<Section> cores_section(const Report& report) {
  std::vector<const LayoutResult*> layouts;
  std::set<std::string> causes;
  for (const LayoutResult* layout : simulated(report)) {
    if (!layout->training || layout->training->cores_by_cause.empty()) continue;
    layouts.push_back(layout);
    for (const auto& [cause, cores] : layout->training->cores_by_cause) causes.insert(cause);
  }
  if (layouts.empty()) return std::nullopt;
  Table table{{{"cores of the busiest host", false}}, {}};
  for (const LayoutResult* layout : layouts) table.columns.push_back({layout->name, true});
  for (const std::string& cause : causes) {
    add_row(
        cause, layouts,
        [&](const LayoutResult& layout) {
          const auto own = layout.training->cores_by_cause.find(cause);
          return own == layout.training->cores_by_cause.end() ? 0.0 : own->second;
        },
        table);
  }
  add_row("in use", layouts, &cores_in_use, table);
  add_row(
      "missing", layouts, [](const LayoutResult& layout) { return layout.training->cores_missing; },
      table);
  const LayoutResult& first = *layouts.front();
  const double missing = first.training->cores_missing;
  return Section{"cores",
                 "CPU",
                 missing > 0
                     ? fmt::format("{} could use {:.1f} cores more", named(first), missing)
                     : fmt::format("{} keeps {:.1f} cores busy", named(first), cores_in_use(first)),
                 {std::move(table)}};
}

}  // namespace vgsim::report
