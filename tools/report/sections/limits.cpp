#include <fmt/core.h>

#include <algorithm>

#include "tools/report/facts.hpp"
#include "tools/report/sections/sections.hpp"
#include "tools/text/figures.hpp"
#include "tools/text/limits_text.hpp"
#include "tools/text/words.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::report {
namespace {

using scenario::LayoutResult;

constexpr std::size_t kBusiest = 5;

/// The first layout with an equal run; itself if there is none before it.
const LayoutResult* first_of_same(const std::vector<const LayoutResult*>& layouts,
                                  const LayoutResult& layout) {
  return *std::find_if(layouts.begin(), layouts.end(), [&](const LayoutResult* other) {
    return other == &layout || same_run(*other, layout);
  });
}

Table limits_table(const std::vector<const LayoutResult*>& layouts) {
  Table table{
      {{"layout", false}, {"bottleneck", false}, {"next bottleneck", false}}, {}, Narrow::kStacks};
  for (const LayoutResult* layout : layouts) {
    const LayoutResult* same = first_of_same(layouts, *layout);
    if (same != layout) {
      table.rows.push_back({layout->name, "same as " + same->name, ""});
    } else {
      table.rows.push_back(
          {layout->name, text::bottleneck_text(*layout), text::next_limit_text(*layout)});
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

/// Of layouts with equal runs only the links of the first.
Table links_table(const std::vector<const LayoutResult*>& layouts) {
  Table table{
      {{"layout", false}, {"link", false}, {"kind", false}, {"carried", true}, {"used", true}},
      {},
      Narrow::kStacks};
  for (const LayoutResult* layout : layouts) {
    if (first_of_same(layouts, *layout) != layout) continue;
    for (std::size_t i = 0; i < std::min(kBusiest, layout->links.size()); ++i) {
      const scenario::LinkUse& link = layout->links[i];
      const std::string alike =
          link.links > 1 ? fmt::format(" and {} like it", link.links - 1) : std::string();
      table.rows.push_back({layout->name, link.resource + alike, link.kind,
                            link.core_seconds > 0 ? fmt::format("{:.3g} core-s", link.core_seconds)
                                                  : text::bytes_text(link.bytes),
                            text::percent(link.utilization)});
    }
  }
  return table;
}

/// The gain without the bottleneck, if it is large.
std::string limits_heading(const LayoutResult& layout) {
  constexpr double kMuch = 0.02;
  if (layout.training && layout.training->next && layout.training->iteration > SimTime{0}) {
    const double gain =
        1.0 - to_seconds(layout.training->next->iteration) / to_seconds(layout.training->iteration);
    if (gain > kMuch) {
      return fmt::format("Without its {} limit, an iteration of {} would take {} less",
                         kind_words(layout.training->next->without_kind), named(layout),
                         text::whole_percent(gain));
    }
  }
  const std::string held = text::bottleneck_text(layout);
  return fmt::format("Bottleneck of {}: {}", named(layout), held.substr(0, held.find(';')));
}

}  // namespace

std::optional<Section> limits_section(const Report& report) {
  const auto layouts = by_speed(report);
  if (layouts.empty()) return std::nullopt;
  Section section{"limits", "Bottlenecks", limits_heading(*layouts.front()), {}};
  section.blocks.emplace_back(limits_table(layouts));
  if (const Table links = links_table(layouts); !links.rows.empty()) {
    section.blocks.emplace_back(Details{"The busiest links", {links}, false});
  }
  return section;
}

}  // namespace vgsim::report
