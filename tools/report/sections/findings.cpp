#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "tools/report/facts.hpp"
#include "tools/report/sections/sections.hpp"
#include "tools/text/words.hpp"

namespace vgsim::report {
namespace {

using scenario::LayoutResult;
using scenario::Warning;

/// Equal findings of several layouts are merged.
std::vector<FindingNote> findings_of(const Report& report) {
  struct Found {
    const Warning* warning;
    std::vector<std::string> layouts;
  };
  std::vector<Found> found;
  for (const LayoutResult& layout : report.result.layouts) {
    for (const Warning& warning : layout.warnings) {
      const auto known = std::find_if(found.begin(), found.end(), [&](const Found& each) {
        return each.warning->rule == warning.rule && each.warning->text == warning.text;
      });
      if (known == found.end()) {
        found.push_back({&warning, {layout.name}});
      } else {
        known->layouts.push_back(layout.name);
      }
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    return a.warning->verdict < b.warning->verdict;
  });
  std::vector<FindingNote> notes;
  for (const auto& [warning, layouts] : found) {
    const bool all = layouts.size() == report.result.layouts.size();
    notes.push_back({vsphere::to_string(warning->verdict), warning->rule, warning->text,
                     warning->remedy, warning->source, all ? "" : listed(layouts),
                     warning->evidence.confidence == "high"
                         ? ""
                         : "confidence " + warning->evidence.confidence});
  }
  return notes;
}

/// Supported operations of vSphere by layout.
Table operations_table(const Report& report) {
  constexpr std::array<const char*, 5> kNames{"vmotion", "drs", "ha", "suspend", "snapshot"};
  Table table{{{"operations of vSphere", false},
               {"vMotion", false},
               {"DRS", false},
               {"HA", false},
               {"suspend", false},
               {"snapshot", false}},
              {},
              Narrow::kScrolls};
  for (const LayoutResult& layout : report.result.layouts) {
    if (layout.is_bare_metal() || layout.mode.empty()) continue;
    auto& row = table.rows.emplace_back();
    row.push_back(layout.name);
    for (const std::string name : kNames) {
      const bool lost =
          std::any_of(layout.warnings.begin(), layout.warnings.end(), [&](const Warning& warning) {
            return warning.rule == "loses-" + name || warning.rule == "no-" + name;
          });
      row.emplace_back(lost ? "no" : "yes");
    }
  }
  return table;
}

std::string findings_heading(const Report& report) {
  const auto& layouts = report.result.layouts;
  const auto refused = static_cast<std::size_t>(std::count_if(
      layouts.begin(), layouts.end(), [](const LayoutResult& layout) { return layout.refused; }));
  if (refused == 0)
    return layouts.size() == 1 ? "The layout is supported" : "All layouts are supported";
  if (refused == layouts.size()) return "What vSphere or the GPUs refuse";
  return fmt::format("{} of {} are refused", refused, text::plural(layouts.size(), "layout"));
}

}  // namespace

std::optional<Section> findings_section(const Report& report) {
  auto notes = findings_of(report);
  Table operations = operations_table(report);
  if (notes.empty() && operations.rows.empty()) return std::nullopt;
  Section section{"findings", "vSphere", findings_heading(report), {}};
  if (!operations.rows.empty()) section.blocks.emplace_back(std::move(operations));
  // Notes are many, and unavailable operations are in the table, so both are folded.
  const auto first_note =
      std::stable_partition(notes.begin(), notes.end(), [](const FindingNote& note) {
        return note.verdict != "note" && !note.rule.starts_with("loses-");
      });
  Findings open{{notes.begin(), first_note}};
  Findings more{{first_note, notes.end()}};
  if (!open.notes.empty()) section.blocks.emplace_back(std::move(open));
  if (!more.notes.empty()) {
    const std::string summary = text::plural(more.notes.size(), "more finding");
    section.blocks.emplace_back(Details{summary, {std::move(more)}, true});
  }
  return section;
}

}  // namespace vgsim::report
