#include "tools/report/sections/timeline_lanes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "tools/report/facts.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::report {
namespace {

using scenario::IterationRecord;
using scenario::Lane;
using scenario::LayoutResult;
using scenario::PathStep;
using scenario::Span;

std::string look_of(const std::string& kind) {
  static const std::map<std::string, std::string> kLooks{
      {"forward", "compute"},   {"backward", "compute-2"},  {"optimizer", "optimizer"},
      {"storage read", "data"}, {"input decoding", "data"}, {"host to device", "data"},
  };
  if (kind.starts_with("waiting")) return "waiting";
  const auto found = kLooks.find(kind);
  return found == kLooks.end() ? "communication" : found->second;
}

TimelineSpan drawn(SimTime begin, SimTime end, const std::string& kind, const std::string& what) {
  TimelineSpan span{to_seconds(begin), to_seconds(end), look_of(kind), kind, ""};
  span.title = fmt::format("{}{}{}: {}", kind, what.empty() ? "" : ", ", what,
                           input::format_time(end - begin));
  return span;
}

double length_of(const TimelineSpan& span) { return span.end - span.begin; }

/// Adds a span; a span too short to see is merged into its neighbour of the same look.
void add(std::vector<TimelineSpan>& spans, TimelineSpan span, double least) {
  if (spans.empty() || spans.back().look != span.look ||
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

/// More spans in one lane are not distinguishable.
constexpr std::size_t kMostSpans = 150;

/// A lane of many spans as cells of time, each with the shares of the activities stacked.
std::vector<TimelineSpan> mixed(const std::vector<TimelineSpan>& spans, double length) {
  constexpr std::size_t kCells = 220;
  constexpr double kSteps = 20;  ///< of a share
  const double cell = length / kCells;
  std::vector<std::map<std::string, double>> cells(kCells);  // by look
  for (const TimelineSpan& span : spans) {
    if (span.look == "waiting") continue;
    const auto first = static_cast<std::size_t>(std::max(span.begin / cell, 0.0));
    for (std::size_t c = first; c < kCells; ++c) {
      const double begin = static_cast<double>(c) * cell;
      if (begin >= span.end) break;
      cells[c][span.look] += std::min(span.end, begin + cell) - std::max(span.begin, begin);
    }
  }
  std::vector<TimelineSpan> result;
  std::map<std::string, std::size_t> last;  // of each look
  for (std::size_t c = 0; c < kCells; ++c) {
    const double begin = static_cast<double>(c) * cell;
    double low = 0;
    for (const auto& [look, time] : cells[c]) {
      const double high = std::min(low + std::round(time / cell * kSteps) / kSteps, 1.0);
      if (high <= low) continue;
      const auto known = last.find(look);
      const bool goes_on = known != last.end() && result[known->second].low == low &&
                           result[known->second].high == high &&
                           begin - result[known->second].end < cell / 2;
      if (goes_on) {
        result[known->second].end = begin + cell;
      } else {
        last[look] = result.size();
        result.push_back({begin, begin + cell, look, "", "", low, high});
      }
      low = high;
    }
  }
  return result;
}

/// Ranks wait when they are idle.
bool is_rank(const Lane& lane) {
  return lane.ranks > 0 && std::any_of(lane.spans.begin(), lane.spans.end(), [](const Span& span) {
           return span.kind == "forward" || span.kind == "backward";
         });
}

TimelineLane lane_of(const Lane& lane, SimTime length) {
  const double least = to_seconds(length) / 500;
  TimelineLane result;
  result.name = lane.name;
  if (lane.spans.size() > kMostSpans) {
    std::vector<TimelineSpan> all;
    for (const Span& span : lane.spans) {
      all.push_back(drawn(span.begin, span.end, span.kind, span.what));
    }
    result.spans = mixed(all, to_seconds(length));
    result.mixed = true;
  }
  if (lane.ranks > 1) result.note = fmt::format("and {} like it", lane.ranks - 1);
  if (result.mixed) return result;
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

/// Whether two lanes look equal in the drawing.
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

/// Whether a lane has visible spans.
bool is_busy(const Lane& lane, SimTime length) {
  double seconds = 0;
  for (const Span& span : lane.spans) seconds += to_seconds(span.end - span.begin);
  return seconds > to_seconds(length) / 100;
}

/// Lanes that look equal are drawn once; lanes other than ranks come last, and are never left
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
  const std::size_t room = kMostTimelineLanes - std::min(kMostTimelineLanes / 2, others.size());
  if (ranks.size() > room) ranks.resize(room);
  if (others.size() > kMostTimelineLanes / 2) others.resize(kMostTimelineLanes / 2);
  ranks.insert(ranks.end(), others.begin(), others.end());
  return ranks;
}

TimelineLane path_lane(const IterationRecord& record) {
  const double least = to_seconds(record.length) / 50;
  TimelineLane lane;
  lane.name = "critical path";
  if (record.critical_path.size() > kMostSpans) {
    std::vector<TimelineSpan> all;
    for (const PathStep& step : record.critical_path) {
      all.push_back(drawn(step.begin, step.end, step.kind, step.what));
    }
    lane.spans = mixed(all, to_seconds(record.length));
    lane.mixed = true;
    return lane;
  }
  for (const PathStep& step : record.critical_path) {
    TimelineSpan span = drawn(step.begin, step.end, step.kind, step.what);
    if (!step.resource.empty()) {
      span.title += fmt::format(", limited by {}", step.resource);
      if (span.look == "communication") span.label = kind_words(step.resource_kind);
    }
    const bool goes_on = !lane.spans.empty() && lane.spans.back().look == span.look &&
                         lane.spans.back().label == span.label;
    add(lane.spans, std::move(span), goes_on ? to_seconds(record.length) : least);
  }
  return lane;
}

}  // namespace

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

}  // namespace vgsim::report
