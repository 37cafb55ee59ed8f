#include "tools/trace/perfetto_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "tools/text/words.hpp"
#include "tools/trace/critical_flows.hpp"
#include "tools/trace/gzip.hpp"
#include "tools/trace/json_writer.hpp"
#include "tools/trace/nested_tracks.hpp"
#include "tools/trace/perfetto_writer.hpp"

namespace vgsim::trace {
namespace {

using scenario::IterationRecord;
using scenario::Lane;
using scenario::LayoutResult;
using scenario::LinkUse;
using scenario::PathStep;
using scenario::Span;

/// Only the busiest links have counters.
constexpr std::size_t kMostLinks = 32;

std::string name_of(const std::string& kind, const std::string& what) {
  if (what.empty()) return kind;
  return kind.empty() ? what : fmt::format("{}: {}", kind, what);
}

/// "esx01/gpu0 and 15 alike"
std::string name_of(const Lane& lane) {
  return lane.ranks > 1 ? fmt::format("{} and {} alike", lane.name, lane.ranks - 1) : lane.name;
}

/// A slice to write: its times, and the event at its beginning.
struct Slice {
  Interval interval;
  TraceEvent event;
};

Slice slice_of(SimTime begin, SimTime end, const std::string& kind, const std::string& what) {
  Slice slice{on_trace_clock(begin, end), {}};
  slice.event.name = name_of(kind, what);
  slice.event.category = kind;
  slice.event.values.push_back({"duration_ps", "", (end - begin).count()});
  return slice;
}

std::vector<Slice> slices_of(const Lane& lane) {
  std::vector<Slice> slices;
  for (const Span& span : lane.spans) {
    slices.push_back(slice_of(span.begin, span.end, span.kind, span.what));
  }
  return slices;
}

std::vector<Slice> slices_of(const std::vector<PathStep>& path) {
  std::vector<Slice> slices;
  for (const PathStep& step : path) {
    Slice slice = slice_of(step.begin, step.end, step.kind, step.what);
    if (!step.resource.empty()) {
      slice.event.values.push_back({"limited by", step.resource, {}});
      slice.event.values.push_back({"kind of link", step.resource_kind, {}});
    }
    slices.push_back(std::move(slice));
  }
  return slices;
}

/// One layout: writes its tracks at once and keeps its events, which follow all tracks.
class LayoutTrace {
 public:
  LayoutTrace(const LayoutResult& layout, std::size_t index, TraceWriter& writer,
              std::vector<TraceEvent>& events)
      : layout_(layout), base_((index + 1) << 32U), writer_(writer), events_(events) {
    process_ = next();
    writer_.process({process_, 0, layout.name, "", static_cast<std::int32_t>(index), false},
                    static_cast<std::int32_t>(index) + 1);
  }

  void write() {
    if (!layout_.record) return write_nothing();
    const IterationRecord& record = *layout_.record;
    group_ = next();
    writer_.track({group_, process_, "one iteration", "the steady one", 0, true});
    write_slices("critical path", slices_of(record.critical_path));
    const auto lanes = slices_of_lanes(record);
    for (std::size_t l = 0; l < lanes.size(); ++l) {
      write_slices(name_of(record.lanes[l]), lanes[l]);
    }
    write_links(record);
  }

 private:
  std::uint64_t next() { return base_ + ++count_; }

  /// With the arrows of the critical path.
  std::vector<std::vector<Slice>> slices_of_lanes(const IterationRecord& record) {
    std::vector<std::vector<Slice>> lanes;
    for (const Lane& lane : record.lanes) lanes.push_back(slices_of(lane));
    for (const Arrow& arrow : critical_flows(record)) {
      const std::uint64_t id = next();
      lanes[arrow.from.lane][arrow.from.span].event.flows_out.push_back(id);
      lanes[arrow.to.lane][arrow.to.span].event.flows_in.push_back(id);
    }
    return lanes;
  }

  void write_nothing() {
    TraceEvent event;
    event.track = process_;
    event.name = layout_.refused      ? "refused by vSphere " + layout_.vsphere
                 : layout_.collective ? "a bare collective has no iteration"
                                      : "no iteration was recorded";
    events_.push_back(std::move(event));
  }

  /// The viewer shows tracks of one name below one parent as one.
  void write_slices(const std::string& name, const std::vector<Slice>& slices) {
    std::vector<Interval> intervals;
    for (const Slice& slice : slices) intervals.push_back(slice.interval);
    ++rank_;
    for (const std::vector<Event>& track : nested_tracks(intervals)) {
      const std::uint64_t uuid = next();
      writer_.track({uuid, group_, name, "", rank_, false});
      for (const Event& event : track) {
        TraceEvent written;
        if (event.type != Event::Type::kEnd) written = slices[event.interval].event;
        written.time = event.time;
        written.track = uuid;
        written.type = event.type == Event::Type::kBegin ? EventType::kSliceBegin
                       : event.type == Event::Type::kEnd ? EventType::kSliceEnd
                                                         : EventType::kInstant;
        events_.push_back(std::move(written));
      }
    }
  }

  void write_links(const IterationRecord& record) {
    const std::uint64_t group = next();
    const auto used = [](const LinkUse& link) { return link.utilization > 0; };
    if (std::none_of(layout_.links.begin(), layout_.links.end(), used)) return;
    writer_.track({group, group_, "links, mean utilization", "", ++rank_, true});
    std::int32_t rank = 0;
    for (const LinkUse& link : layout_.links) {
      if (!used(link) || static_cast<std::size_t>(rank) >= kMostLinks) break;
      write_link(link, group, ++rank, on_trace_clock(SimTime{0}, record.length).end);
    }
  }

  void write_link(const LinkUse& link, std::uint64_t group, std::int32_t rank, std::int64_t end) {
    const std::uint64_t uuid = next();
    std::string about =
        fmt::format("{}, {} in one iteration", link.kind, text::bytes_text(link.bytes));
    if (link.links > 1) about += fmt::format("; {} links carry the same", link.links);
    writer_.counter({uuid, group, link.resource, about, rank, false}, "%");
    TraceEvent event;
    event.type = EventType::kCounterValue;
    event.track = uuid;
    event.counter = link.utilization * 100;
    events_.push_back(event);
    event.time = end;
    event.counter = 0;
    events_.push_back(event);
  }

  const LayoutResult& layout_;
  std::uint64_t base_;
  std::uint64_t count_ = 0;
  std::uint64_t process_ = 0;
  std::uint64_t group_ = 0;
  std::int32_t rank_ = 0;
  TraceWriter& writer_;
  std::vector<TraceEvent>& events_;
};

}  // namespace

namespace {

std::string trace_by(TraceWriter&& writer, const scenario::ScenarioResult& result) {
  std::vector<TraceEvent> events;
  for (std::size_t i = 0; i < result.layouts.size(); ++i) {
    LayoutTrace(result.layouts[i], i, writer, events).write();
  }
  // Viewers keep the file order of events at one time, and so does this within a track.
  std::stable_sort(events.begin(), events.end(),
                   [](const TraceEvent& a, const TraceEvent& b) { return a.time < b.time; });
  for (const TraceEvent& event : events) writer.event(event);
  return writer.bytes();
}

}  // namespace

std::string perfetto_trace(const scenario::ScenarioResult& result) {
  return trace_by(PerfettoWriter(), result);
}

std::string json_trace(const scenario::ScenarioResult& result) {
  return trace_by(JsonWriter(), result);
}

std::string trace_file(const scenario::ScenarioResult& result, const std::string& file) {
  const bool is_json = file.ends_with(".json") || file.ends_with(".json.gz");
  const std::string trace = is_json ? json_trace(result) : perfetto_trace(result);
  return file.ends_with(".gz") ? gzipped(trace) : trace;
}

}  // namespace vgsim::trace
