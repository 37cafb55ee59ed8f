#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "tools/report/facts.hpp"
#include "tools/report/sections/sections.hpp"
#include "tools/text/limits_text.hpp"
#include "tools/text/words.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::report {
namespace {

using scenario::LayoutResult;
using scenario::Warning;

constexpr std::size_t kBusiest = 5;

Table limits_table(const std::vector<const LayoutResult*>& layouts) {
  Table table{{{"layout", false}, {"held back by", false}, {"what comes next", false}},
              {},
              Narrow::kStacks};
  for (const LayoutResult* layout : layouts) {
    const auto same = std::find_if(layouts.begin(), layouts.end(), [&](const LayoutResult* other) {
      return other == layout || same_run(*other, *layout);
    });
    if (*same != layout) {
      table.rows.push_back({layout->name, "the same as " + (*same)->name, ""});
    } else {
      table.rows.push_back(
          {layout->name, cli::held_back_text(*layout), cli::next_limit_text(*layout)});
    }
  }
  const bool nothing_next = std::all_of(table.rows.begin(), table.rows.end(),
                                        [](const auto& row) { return row.back().empty(); });
  if (nothing_next) {
    table.columns.pop_back();
    for (auto& row : table.rows) row.pop_back();
  }
  return table;
}

Table links_table(const std::vector<const LayoutResult*>& layouts) {
  Table table{
      {{"layout", false}, {"link", false}, {"kind", false}, {"carried", true}, {"used", true}},
      {},
      Narrow::kStacks};
  for (const LayoutResult* layout : layouts) {
    for (std::size_t i = 0; i < std::min(kBusiest, layout->links.size()); ++i) {
      const scenario::LinkUse& link = layout->links[i];
      const std::string alike =
          link.links > 1 ? fmt::format(" and {} like it", link.links - 1) : std::string();
      table.rows.push_back({layout->name, link.resource + alike, link.kind,
                            link.core_seconds > 0 ? fmt::format("{:.3g} core-s", link.core_seconds)
                                                  : cli::bytes_text(link.bytes),
                            cli::percent(link.utilization)});
    }
  }
  return table;
}

/// The same finding of several layouts stands once.
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
                     warning->remedy, warning->source, all ? "" : listed(layouts)});
  }
  return notes;
}

/// Which operations of vSphere a layout keeps.
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

/// What it would bring to take the limit away, where that is much.
std::string limits_heading(const LayoutResult& layout) {
  constexpr double kMuch = 0.02;
  if (layout.training && layout.training->next && layout.training->iteration > SimTime{0}) {
    const double gain =
        1.0 - to_seconds(layout.training->next->iteration) / to_seconds(layout.training->iteration);
    if (gain > kMuch) {
      return fmt::format("Without its {} limit, an iteration of {} would take {} less",
                         kind_words(layout.training->next->without_kind), named(layout),
                         cli::whole_percent(gain));
    }
  }
  const std::string held = cli::held_back_text(layout);
  return fmt::format("What holds {} back: {}", named(layout), held.substr(0, held.find(';')));
}

}  // namespace

std::optional<Section> limits_section(const Report& report) {
  const auto layouts = by_speed(report);
  auto notes = findings_of(report);
  if (layouts.empty() && notes.empty()) return std::nullopt;
  Section section{"limits", "Held back by", "", {}};
  section.heading =
      layouts.empty() ? "What vSphere or the GPUs refuse" : limits_heading(*layouts.front());
  if (!layouts.empty()) section.blocks.emplace_back(limits_table(layouts));
  if (const Table links = links_table(layouts); !links.rows.empty()) {
    section.blocks.emplace_back(Details{"The busiest links", {links}, false});
  }
  if (Table operations = operations_table(report); !operations.rows.empty()) {
    section.blocks.emplace_back(std::move(operations));
  }
  // What matters is open; notes are many, and lost operations stand in the table.
  const auto first_note =
      std::stable_partition(notes.begin(), notes.end(), [](const FindingNote& note) {
        return note.verdict != "note" && !note.rule.starts_with("loses-");
      });
  Findings open{{notes.begin(), first_note}};
  Findings more{{first_note, notes.end()}};
  if (!open.notes.empty()) section.blocks.emplace_back(std::move(open));
  if (!more.notes.empty()) {
    const std::string summary = cli::plural(more.notes.size(), "more finding");
    section.blocks.emplace_back(Details{summary, {std::move(more)}, true});
  }
  return section;
}

}  // namespace vgsim::report
