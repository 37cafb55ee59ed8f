#include <fmt/core.h>

#include <algorithm>

#include "models/scenario/answer/ranked_layouts.hpp"
#include "tools/report/facts.hpp"
#include "tools/report/sections/sections.hpp"
#include "tools/report/text.hpp"
#include "tools/text/figure_rows.hpp"
#include "tools/text/figures.hpp"
#include "tools/text/words.hpp"

namespace vgsim::report {
namespace {

using scenario::LayoutResult;
using text::LayoutRow;

constexpr std::size_t kSideBySide = 6;

std::string state_of(const LayoutResult& layout) {
  if (layout.refused) return "refused";
  return layout.is_bare_metal() ? layout.mode
                                : fmt::format("{}, vSphere {}", layout.mode, layout.vsphere);
}

Table side_by_side(const Report& report, const std::vector<text::LayoutRow>& rows) {
  Table table;
  table.columns.push_back({"", false});
  std::vector<std::string> states{"GPU mode"};
  for (const LayoutResult& layout : report.result.layouts) {
    table.columns.push_back({layout.name, true});
    states.push_back(state_of(layout));
  }
  table.rows.push_back(std::move(states));
  for (const text::LayoutRow& row : rows) {
    table.rows.push_back({row.label});
    table.rows.back().insert(table.rows.back().end(), row.cells.begin(), row.cells.end());
  }
  return table;
}

/// With many layouts, each is a row.
Table one_below_the_other(const Report& report, const std::vector<text::LayoutRow>& rows) {
  const auto& layouts = report.result.layouts;
  const bool alike = std::all_of(layouts.begin(), layouts.end(), [&](const LayoutResult& layout) {
    return state_of(layout) == state_of(layouts.front());
  });
  Table table;
  table.columns.push_back({"layout", false});
  if (!alike) table.columns.push_back({"GPU mode", false});
  for (const text::LayoutRow& row : rows) table.columns.push_back({row.label, true});
  for (std::size_t l = 0; l < layouts.size(); ++l) {
    auto& cells = table.rows.emplace_back();
    cells.push_back(layouts[l].name);
    if (!alike) cells.push_back(state_of(layouts[l]));
    for (const text::LayoutRow& row : rows) cells.push_back(row.cells[l]);
  }
  return table;
}

std::string layouts_heading(const Report& report) {
  const auto order = by_speed(report);
  if (order.empty()) return "No layout runs";
  const auto groups = scenario::ranked_groups(report.result);
  const auto& first = groups.front().layouts;
  if (groups.size() > 1 || first.size() == 1) {
    return fmt::format("{}: {}", named(*order[0]), speed_words(*order[0]));
  }
  if (groups.front().is_open()) return "No layout is slower for sure";
  return fmt::format("{} takes {} against {}", named(report.result.layouts[first.back().layout]),
                     text::gap_figure(first.back().gap), named(*order.front()));
}

std::string verdict_word(const LayoutResult& layout) {
  if (!layout.refused) return layout.is_bare_metal() ? "can run" : "supported";
  const auto refusals = std::count_if(
      layout.warnings.begin(), layout.warnings.end(),
      [](const auto& warning) { return warning.verdict == vsphere::Verdict::kRefused; });
  return fmt::format("refused ({})", text::plural(static_cast<std::size_t>(refusals), "reason"));
}

}  // namespace

/// GPUs and GPU mode of each layout, before anything is simulated.
std::optional<Section> machines_given_section(const Report& report) {
  Table table{{{"layout", false},
               {"verdict", false},
               {"vSphere", false},
               {"GPUs", true},
               {"machines", true},
               {"mode", false},
               {"rings", true}},
              {}};
  for (const LayoutResult& layout : report.result.layouts) {
    table.rows.push_back({layout.name, verdict_word(layout),
                          layout.is_bare_metal() ? "-" : layout.vsphere,
                          fmt::format("{}", layout.ranks), fmt::format("{}", layout.machines),
                          layout.mode, fmt::format("{}", layout.channels)});
  }
  return Section{"layouts",
                 "Layouts",
                 text::plural(report.result.layouts.size(), "layout"),
                 {std::move(table)}};
}

std::optional<Section> layouts_section(const Report& report) {
  auto rows = text::figure_rows(report.result, scenario::ranked_groups(report.result),
                                report.all_figures ? text::RowsFor::kAll : text::RowsFor::kReport);
  for (text::LayoutRow& row : rows) {
    for (std::string& cell : row.cells) cell = grouped(std::move(cell));
  }
  Section section{"layouts", "Layouts", layouts_heading(report), {}};
  section.blocks.emplace_back(report.result.layouts.size() <= kSideBySide
                                  ? side_by_side(report, rows)
                                  : one_below_the_other(report, rows));
  const auto runs = simulated(report);
  if (!runs.empty() && runs.front()->training && runs.front()->training->iteration_interval) {
    section.blocks.emplace_back(Paragraph{
        fmt::format(
            "90 % interval: 90 % of {} lie in it, with all uncertain inputs drawn from their "
            "intervals.",
            text::plural(runs.front()->training->iteration_interval->draws, "run")),
        true});
  }
  return section;
}

}  // namespace vgsim::report
