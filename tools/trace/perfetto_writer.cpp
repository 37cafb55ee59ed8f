#include "tools/trace/perfetto_writer.hpp"

#include <protozero/pbf_builder.hpp>

namespace vgsim::trace {
namespace {

using namespace perfetto;
using protozero::pbf_builder;

/// One writer alone, so any number but 0.
constexpr std::uint32_t kSequence = 1;

void describe(pbf_builder<Descriptor>& message, const TrackPlace& place) {
  message.add_uint64(Descriptor::kUuid, place.uuid);
  message.add_string(Descriptor::kName, place.name);
  if (place.parent != 0) message.add_uint64(Descriptor::kParent, place.parent);
  if (place.orders_below) message.add_int32(Descriptor::kChildOrdering, kExplicitOrder);
  message.add_int32(Descriptor::kSiblingRank, place.rank);
  if (!place.description.empty()) {
    message.add_string(Descriptor::kDescription, place.description);
  }
}

void annotate(pbf_builder<TrackEvent>& event, const NamedValue& value) {
  pbf_builder<Annotation> message(event, TrackEvent::kAnnotation);
  message.add_string(Annotation::kName, value.name);
  if (value.number) {
    message.add_int64(Annotation::kInteger, *value.number);
  } else {
    message.add_string(Annotation::kString, value.text);
  }
}

}  // namespace

void PerfettoWriter::packet(std::optional<std::int64_t> time, Packet field,
                            const std::string& content) {
  const bool first = bytes_.empty();
  pbf_builder<Trace> trace(bytes_);
  pbf_builder<Packet> message(trace, Trace::kPacket);
  if (time) message.add_uint64(Packet::kTimestamp, static_cast<std::uint64_t>(*time));
  message.add_uint32(Packet::kSequence, kSequence);
  if (first) {
    message.add_uint32(Packet::kSequenceFlags, kIncrementalStateCleared);
    message.add_bool(Packet::kFirstOnSequence, true);
  }
  message.add_message(field, content);
}

void PerfettoWriter::process(const TrackPlace& place, std::int32_t pid) {
  std::string content;
  pbf_builder<Descriptor> message(content);
  describe(message, place);
  {
    pbf_builder<Process> process(message, Descriptor::kProcess);
    process.add_int32(Process::kPid, pid);
    process.add_string(Process::kName, place.name);
  }
  packet(std::nullopt, Packet::kTrackDescriptor, content);
}

void PerfettoWriter::track(const TrackPlace& place) {
  std::string content;
  pbf_builder<Descriptor> message(content);
  describe(message, place);
  packet(std::nullopt, Packet::kTrackDescriptor, content);
}

void PerfettoWriter::counter(const TrackPlace& place, const std::string& unit) {
  std::string content;
  pbf_builder<Descriptor> message(content);
  describe(message, place);
  {
    pbf_builder<Counter> counter(message, Descriptor::kCounter);
    counter.add_string(Counter::kUnitName, unit);
  }
  packet(std::nullopt, Packet::kTrackDescriptor, content);
}

void PerfettoWriter::event(const TraceEvent& event) {
  std::string content;
  pbf_builder<TrackEvent> message(content);
  message.add_enum(TrackEvent::kType, static_cast<std::int32_t>(event.type));
  message.add_uint64(TrackEvent::kTrack, event.track);
  if (!event.category.empty()) message.add_string(TrackEvent::kCategory, event.category);
  if (!event.name.empty()) message.add_string(TrackEvent::kName, event.name);
  for (const NamedValue& value : event.values) annotate(message, value);
  for (const auto id : event.flows_out) message.add_fixed64(TrackEvent::kFlow, id);
  for (const auto id : event.flows_in) message.add_fixed64(TrackEvent::kEndOfFlow, id);
  if (event.type == EventType::kCounterValue) {
    message.add_double(TrackEvent::kDoubleCounterValue, event.counter);
  }
  packet(event.time, Packet::kTrackEvent, content);
}

}  // namespace vgsim::trace
