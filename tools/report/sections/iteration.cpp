#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "tools/cli/words.hpp"
#include "tools/report/charts/timeline.hpp"
#include "tools/report/facts.hpp"
#include "tools/report/figures.hpp"
#include "tools/report/sections/sections.hpp"
#include "topology/input/unit_strings.hpp"

namespace vgsim::report {
namespace {

using scenario::IterationRecord;
using scenario::Lane;
using scenario::LayoutResult;
using scenario::PathStep;
using scenario::Span;

constexpr std::size_t kMostTimelines = 3;
constexpr std::size_t kMostLanes = 12;
constexpr std::size_t kMostSteps = 8;  ///< of the critical path, in its table

bool has_record(const LayoutResult& layout) {
  return layout.record && layout.record->length > SimTime{0} && !layout.record->lanes.empty();
}

std::string look_of(const std::string& kind) {
  static const std::map<std::string, std::string> kLooks{
      {"forward", "compute"},       {"backward", "compute-2"},  {"optimizer", "optimizer"},
      {"storage read", "data"},     {"input decoding", "data"}, {"host to device", "data"},
      {"waiting for data", "data"},
  };
  if (kind.starts_with("waiting")) return "waiting";
  const auto found = kLooks.find(kind);
  return found == kLooks.end() ? "communication" : found->second;
}

TimelineSpan drawn(SimTime begin, SimTime end, const std::string& kind, const std::string& what) {
  TimelineSpan span{to_seconds(begin), to_seconds(end), look_of(kind), kind, "", false};
  span.waits = kind.starts_with("waiting");
  span.title = fmt::format("{}{}{}: {}", kind, what.empty() ? "" : ", ", what,
                           input::format_time(end - begin));
  return span;
}

double length_of(const TimelineSpan& span) { return span.end - span.begin; }

/// Adds a span; what is too short to be told from its neighbour of the same look becomes part of
/// it.
void add(std::vector<TimelineSpan>& spans, TimelineSpan span, double least) {
  if (spans.empty() || spans.back().look != span.look || spans.back().waits != span.waits ||
      span.begin - spans.back().end > least / 4 ||
      (length_of(span) > least && length_of(spans.back()) > least)) {
    spans.push_back(std::move(span));
    return;
  }
  TimelineSpan& last = spans.back();
  if (length_of(span) > length_of(last)) last.label = span.label;
  last.end = std::max(last.end, span.end);
  last.title = last.label;
}

/// Ranks wait where they do nothing.
bool is_rank(const Lane& lane) {
  return lane.ranks > 0 && std::any_of(lane.spans.begin(), lane.spans.end(), [](const Span& span) {
           return span.kind == "forward" || span.kind == "backward";
         });
}

TimelineLane lane_of(const Lane& lane, SimTime length) {
  const double least = to_seconds(length) / 500;
  TimelineLane result{lane.name, "", {}};
  if (lane.ranks > 1) result.note = fmt::format("and {} like it", lane.ranks - 1);
  SimTime done{};
  for (const Span& span : lane.spans) {
    if (is_rank(lane) && span.begin > done) {
      add(result.spans, drawn(done, span.begin, "waiting", ""), least);
    }
    add(result.spans, drawn(span.begin, span.end, span.kind, span.what), least);
    done = std::max(done, span.end);
  }
  if (is_rank(lane) && done < length) {
    add(result.spans, drawn(done, length, "waiting", ""), least);
  }
  return result;
}

/// Whether no one could tell two lanes apart in the drawing.
bool look_alike(const Lane& a, const Lane& b, SimTime length) {
  const double visible = to_seconds(length) / 1000;
  const auto near = [&](SimTime x, SimTime y) {
    return std::abs(to_seconds(x) - to_seconds(y)) < visible;
  };
  return (a.ranks > 0) == (b.ranks > 0) &&
         std::equal(a.spans.begin(), a.spans.end(), b.spans.begin(), b.spans.end(),
                    [&](const Span& x, const Span& y) {
                      return x.kind == y.kind && near(x.begin, y.begin) && near(x.end, y.end);
                    });
}

/// Whether there is something to be seen in a lane.
bool is_busy(const Lane& lane, SimTime length) {
  SimTime time{};
  for (const Span& span : lane.spans) time += span.end - span.begin;
  return time * 100 > length;
}

/// Lanes that look alike stand as the first of them; what is no rank comes last, and is never left
/// out.
std::vector<Lane> lanes_to_draw(const IterationRecord& record) {
  std::vector<Lane> ranks;
  std::vector<Lane> others;
  for (const Lane& lane : record.lanes) {
    if (!is_busy(lane, record.length)) continue;
    auto& lanes = lane.ranks > 0 ? ranks : others;
    const auto known = std::find_if(lanes.begin(), lanes.end(), [&](const Lane& other) {
      return look_alike(other, lane, record.length);
    });
    if (known == lanes.end()) {
      lanes.push_back(lane);
    } else {
      known->ranks += lane.ranks;
    }
  }
  const std::size_t room = kMostLanes - std::min(kMostLanes / 2, others.size());
  if (ranks.size() > room) ranks.resize(room);
  if (others.size() > kMostLanes / 2) others.resize(kMostLanes / 2);
  ranks.insert(ranks.end(), others.begin(), others.end());
  return ranks;
}

TimelineLane path_lane(const IterationRecord& record) {
  const double least = to_seconds(record.length) / 50;
  TimelineLane lane{"critical path", "", {}};
  for (const PathStep& step : record.critical_path) {
    TimelineSpan span = drawn(step.begin, step.end, step.kind, step.what);
    if (!step.resource.empty()) {
      span.title += fmt::format(", held back by {}", step.resource);
      if (span.look == "communication") span.label = kind_words(step.resource_kind);
    }
    span.waits = false;
    const bool goes_on = !lane.spans.empty() && lane.spans.back().look == span.look &&
                         lane.spans.back().label == span.label;
    add(lane.spans, std::move(span), goes_on ? to_seconds(record.length) : least);
  }
  return lane;
}

/// What the critical path consists of, longest first.
struct Share {
  std::string kind;
  std::string resource_kind;
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
      shares.push_back({step.kind, step.resource_kind, step.resource, step.end - step.begin});
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
  return fmt::format("{} held back by {}", share.kind, share.resource);
}

Table path_table(const IterationRecord& record) {
  Table table{
      {{"on the critical path", false}, {"time", true}, {"share", true}}, {}, Narrow::kStacks};
  const auto shares = shares_of(record);
  for (std::size_t i = 0; i < std::min(kMostSteps, shares.size()); ++i) {
    table.rows.push_back({share_words(shares[i]), input::format_time(shares[i].time),
                          cli::percent(to_seconds(shares[i].time) / to_seconds(record.length))});
  }
  return table;
}

Timeline timeline_of(const LayoutResult& layout) {
  const IterationRecord& record = *layout.record;
  Timeline chart;
  chart.length = to_seconds(record.length);
  if (!record.critical_path.empty()) chart.lanes.push_back(path_lane(record));
  for (const Lane& lane : lanes_to_draw(record)) {
    chart.lanes.push_back(lane_of(lane, record.length));
  }
  chart.title = "An iteration of " + layout.name + " in time";
  chart.description = "Ranks that do the same share a lane. The table has the critical path.";
  return chart;
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

Figure figure_of_layout(const LayoutResult& layout, std::size_t n, bool named) {
  const Timeline chart = timeline_of(layout);
  Figure figure = figure_of(fmt::format("iteration-chart-{}", n + 1), chart, &timeline,
                            path_table(*layout.record));
  if (named) figure.heading = layout.name;
  figure.keys = keys_of(chart);
  figure.caption =
      "The critical path is the chain of work without a gap that makes the iteration as long as it "
      "is; where a link holds it back, its kind stands there.";
  if (lanes_to_draw(*layout.record).size() == kMostLanes) {
    figure.caption += fmt::format(" At most {} lanes are drawn.", kMostLanes);
  }
  return figure;
}

std::string heading_of(const LayoutResult& layout) {
  const auto shares = shares_of(*layout.record);
  if (shares.empty()) return "An iteration in time";
  return fmt::format(
      "Critical path of {}: {} of it is {}", named(layout),
      cli::percent(to_seconds(shares.front().time) / to_seconds(layout.record->length)),
      share_words(shares.front()));
}

}  // namespace

std::optional<Section> iteration_section(const Report& report) {
  const auto layouts = worth_drawing(report, kMostTimelines, &has_record);
  if (layouts.empty()) return std::nullopt;
  std::vector<Figure> figures;
  for (std::size_t n = 0; n < layouts.size(); ++n) {
    figures.push_back(figure_of_layout(*layouts[n], n, layouts.size() > 1));
  }
  return Section{"iteration", "Iteration", heading_of(*layouts.front()),
                 first_open(std::move(figures), "Other layouts")};
}

}  // namespace vgsim::report
