// One event a line. Groups of tracks are not threads, as the format has none; an arrow is a pair of
// events that bind to the slice which begins at their time.

#include "tools/trace/json_writer.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace vgsim::trace {
namespace {

using nlohmann::ordered_json;

double microseconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1000.0; }

ordered_json metadata(const char* what, std::int32_t pid, std::int32_t tid, ordered_json value) {
  const char* const key = std::string_view(what).ends_with("index") ? "sort_index" : "name";
  return {
      {"ph", "M"}, {"name", what}, {"pid", pid}, {"tid", tid}, {"args", {{key, std::move(value)}}}};
}

ordered_json values_of(const TraceEvent& event) {
  ordered_json args = ordered_json::object();
  for (const NamedValue& value : event.values) {
    args[value.name] = value.number ? ordered_json(*value.number) : ordered_json(value.text);
  }
  return args;
}

const char* phase_of(EventType type) {
  switch (type) {
    case EventType::kSliceBegin:
      return "B";
    case EventType::kSliceEnd:
      return "E";
    case EventType::kCounterValue:
      return "C";
    default:
      return "i";
  }
}

}  // namespace

void JsonWriter::line(const std::string& json) {
  lines_ += lines_.empty() ? "\n" : ",\n";
  lines_ += json;
}

JsonWriter::Thread& JsonWriter::add(const TrackPlace& place) {
  const auto parent = threads_.find(place.parent);
  const std::int32_t pid = parent == threads_.end() ? 0 : parent->second.pid;
  return threads_[place.uuid] = {pid, static_cast<std::int32_t>(threads_.size()), "", ""};
}

void JsonWriter::process(const TrackPlace& place, std::int32_t pid) {
  add(place).pid = pid;
  line(metadata("process_name", pid, 0, place.name).dump());
  line(metadata("process_sort_index", pid, 0, place.rank).dump());
}

void JsonWriter::track(const TrackPlace& place) {
  const Thread& thread = add(place);
  if (place.orders_below) return;
  line(metadata("thread_name", thread.pid, thread.tid, place.name).dump());
  line(metadata("thread_sort_index", thread.pid, thread.tid, place.rank).dump());
}

void JsonWriter::counter(const TrackPlace& place, const std::string& unit) {
  Thread& thread = add(place);
  thread.counter = place.name;
  thread.unit = unit;
}

void JsonWriter::arrow(const char* phase, std::uint64_t id, const TraceEvent& event,
                       const Thread& thread) {
  ordered_json json{{"ph", phase},
                    {"id", id},
                    {"name", "next on the critical path"},
                    {"cat", "flow"},
                    {"pid", thread.pid},
                    {"tid", thread.tid},
                    {"ts", microseconds(event.time)}};
  if (*phase == 'f') json["bp"] = "e";  // binds to the slice around it
  line(json.dump());
}

void JsonWriter::event(const TraceEvent& event) {
  const Thread& thread = threads_.at(event.track);
  ordered_json json{{"ph", phase_of(event.type)},
                    {"pid", thread.pid},
                    {"tid", thread.tid},
                    {"ts", microseconds(event.time)}};
  if (event.type == EventType::kCounterValue) {
    json["name"] = thread.counter;
    json["args"] = {{thread.unit, event.counter}};
  } else if (event.type != EventType::kSliceEnd) {
    json["name"] = event.name;
    if (!event.category.empty()) json["cat"] = event.category;
    json["args"] = values_of(event);
    if (event.type == EventType::kInstant) json["s"] = "t";
  }
  line(json.dump());
  for (const std::uint64_t id : event.flows_out) arrow("s", id, event, thread);
  for (const std::uint64_t id : event.flows_in) arrow("f", id, event, thread);
}

std::string JsonWriter::bytes() const {
  return fmt::format("{{\"displayTimeUnit\":\"ms\",\"traceEvents\":[{}\n]}}\n", lines_);
}

}  // namespace vgsim::trace
