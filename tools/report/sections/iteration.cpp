#include <fmt/core.h>

#include <algorithm>

#include "tools/report/charts/timeline.hpp"
#include "tools/report/facts.hpp"
#include "tools/report/figures.hpp"
#include "tools/report/sections/sections.hpp"
#include "tools/report/sections/timeline_lanes.hpp"
#include "tools/text/words.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::report {
namespace {

using scenario::IterationRecord;
using scenario::LayoutResult;
using scenario::PathStep;

constexpr std::size_t kMostTimelines = 3;
constexpr std::size_t kMostSteps = 8;  ///< of the critical path, in its table

bool has_record(const LayoutResult& layout) {
  return layout.record && layout.record->length > SimTime{0} && !layout.record->lanes.empty();
}

/// A part of the critical path; longest first.
struct Share {
  std::string kind;
  std::string resource;
  SimTime time{};
};

std::vector<Share> shares_of(const IterationRecord& record) {
  std::vector<Share> shares;
  for (const PathStep& step : record.critical_path) {
    const auto known = std::find_if(shares.begin(), shares.end(), [&](const Share& share) {
      return share.kind == step.kind && share.resource == step.resource;
    });
    if (known == shares.end()) {
      shares.push_back({step.kind, step.resource, step.end - step.begin});
    } else {
      known->time += step.end - step.begin;
    }
  }
  std::stable_sort(shares.begin(), shares.end(),
                   [](const Share& a, const Share& b) { return a.time > b.time; });
  return shares;
}

std::string share_words(const Share& share) {
  if (share.resource.empty()) return share.kind;
  return fmt::format("{}, limited by {}", share.kind, share.resource);
}

Table path_table(const IterationRecord& record) {
  Table table{
      {{"on the critical path", false}, {"time", true}, {"share", true}}, {}, Narrow::kStacks};
  const auto shares = shares_of(record);
  for (std::size_t i = 0; i < std::min(kMostSteps, shares.size()); ++i) {
    table.rows.push_back({share_words(shares[i]), input::format_time(shares[i].time),
                          text::percent(to_seconds(shares[i].time) / to_seconds(record.length))});
  }
  return table;
}

std::vector<Key> keys_of(const Timeline& chart) {
  static const std::vector<Key> kKeys{
      {"compute", "forward"},     {"compute-2", "backward"}, {"communication", "communication"},
      {"optimizer", "optimizer"}, {"data", "input"},         {"waiting", "waiting"}};
  std::vector<Key> used;
  for (const Key& key : kKeys) {
    for (const TimelineLane& lane : chart.lanes) {
      const bool found = std::any_of(lane.spans.begin(), lane.spans.end(),
                                     [&](const auto& span) { return span.look == key.look; });
      if (!found) continue;
      used.push_back(key);
      break;
    }
  }
  return used;
}

Figure iteration_figure(const LayoutResult& layout, std::size_t n, bool named) {
  const Timeline chart = timeline_of(layout);
  Figure figure = figure_of(fmt::format("iteration-chart-{}", n + 1), chart, &timeline,
                            path_table(*layout.record));
  if (named) figure.heading = layout.name;
  figure.keys = keys_of(chart);
  figure.caption =
      "The critical path is the chain of dependent work that determines the length of the "
      "iteration; communication is labelled with the kind of link that limits it.";
  if (chart.lanes.size() > kMostTimelineLanes) {
    figure.caption += fmt::format(" At most {} other lanes are drawn.", kMostTimelineLanes);
  }
  if (std::any_of(chart.lanes.begin(), chart.lanes.end(),
                  [](const TimelineLane& lane) { return lane.mixed; })) {
    figure.caption +=
        " Where there are too many spans to draw, heights show the share of each activity at a "
        "time, and blank space is waiting.";
  }
  return figure;
}

std::string iteration_heading(const LayoutResult& layout) {
  const auto shares = shares_of(*layout.record);
  if (shares.empty()) return "An iteration in time";
  return fmt::format(
      "Critical path of {}: {} of it is {}", named(layout),
      text::percent(to_seconds(shares.front().time) / to_seconds(layout.record->length)),
      share_words(shares.front()));
}

}  // namespace

std::optional<Section> iteration_section(const Report& report) {
  const auto layouts = worth_drawing(report, kMostTimelines, &has_record);
  if (layouts.empty()) return std::nullopt;
  std::vector<Figure> figures;
  for (std::size_t n = 0; n < layouts.size(); ++n) {
    figures.push_back(iteration_figure(*layouts[n], n, layouts.size() > 1));
  }
  return Section{"iteration", "Iteration", iteration_heading(*layouts.front()),
                 first_open(std::move(figures), "Other layouts")};
}

}  // namespace vgsim::report
