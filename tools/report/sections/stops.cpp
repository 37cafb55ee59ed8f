#include <fmt/core.h>

#include <algorithm>

#include "tools/report/facts.hpp"
#include "tools/report/sections/sections.hpp"
#include "tools/text/figures.hpp"

namespace vgsim::report {
namespace {

using scenario::LayoutResult;

std::vector<std::string> names_of(const std::vector<const LayoutResult*>& layouts) {
  std::vector<std::string> names;
  for (const LayoutResult* layout : layouts) {
    for (const auto& each : layout->training->interruptions) {
      if (std::find(names.begin(), names.end(), each.what) == names.end()) {
        names.push_back(each.what);
      }
    }
  }
  return names;
}

/// "2.1 min, 480 steps"; "none [event-without-effect]".
std::string cost_of(const LayoutResult& layout, const std::string& name) {
  double seconds = 0.0;
  double steps = 0.0;
  std::string rule;
  for (const auto& each : layout.training->interruptions) {
    if (each.what != name) continue;
    seconds += each.seconds;
    steps += each.steps;
    rule = each.rule;
  }
  if (seconds == 0.0) return rule.empty() ? std::string("-") : fmt::format("none [{}]", rule);
  return fmt::format("{}, {:.0f} steps", text::time_figure(seconds, std::nullopt), steps);
}

}  // namespace

std::optional<Section> stops_section(const Report& report) {
  std::vector<const LayoutResult*> layouts;
  for (const LayoutResult* layout : simulated(report)) {
    if (layout->training) layouts.push_back(layout);
  }
  const auto names = names_of(layouts);
  if (names.empty()) return std::nullopt;
  Table table;
  table.columns.push_back({"", false});
  for (const LayoutResult* layout : layouts) table.columns.push_back({layout->name, true});
  for (const std::string& name : names) {
    auto& cells = table.rows.emplace_back();
    cells.push_back(name);
    for (const LayoutResult* layout : layouts) cells.push_back(cost_of(*layout, name));
  }
  return Section{"stops",
                 "Interruptions",
                 fmt::format("{} costs {} {}", names.front(), named(*layouts.front()),
                             cost_of(*layouts.front(), names.front())),
                 {std::move(table)}};
}

}  // namespace vgsim::report
