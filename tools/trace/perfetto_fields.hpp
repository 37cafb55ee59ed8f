#pragma once

#include <cstdint>

/// Field numbers of Perfetto's protobuf messages, from github.com/google/perfetto,
/// protos/perfetto/: trace/trace.proto, trace/trace_packet.proto, and in trace/track_event/
/// track_event.proto, track_descriptor.proto, process_descriptor.proto, counter_descriptor.proto
/// and debug_annotation.proto.
namespace vgsim::trace::perfetto {

enum class Trace : std::uint32_t { kPacket = 1 };

enum class Packet : std::uint32_t {
  kTimestamp = 8,
  kSequence = 10,  ///< trusted_packet_sequence_id; events without one are dropped
  kTrackEvent = 11,
  kSequenceFlags = 13,
  kTrackDescriptor = 60,
  kFirstOnSequence = 87,
};

/// Of Packet::kSequenceFlags.
inline constexpr std::uint32_t kIncrementalStateCleared = 1;

enum class Descriptor : std::uint32_t {
  kUuid = 1,
  kName = 2,
  kProcess = 3,
  kParent = 5,
  kCounter = 8,
  kChildOrdering = 11,
  kSiblingRank = 12,
  kDescription = 14,
};

/// Of Descriptor::kChildOrdering: children are ordered by their kSiblingRank.
inline constexpr std::int32_t kExplicitOrder = 3;

enum class Process : std::uint32_t { kPid = 1, kName = 6 };

enum class Counter : std::uint32_t { kUnitName = 6 };

enum class TrackEvent : std::uint32_t {
  kAnnotation = 4,
  kType = 9,
  kTrack = 11,
  kCategory = 22,
  kName = 23,
  kDoubleCounterValue = 44,
  kFlow = 47,       ///< of all slices that an arrow connects
  kEndOfFlow = 48,  ///< of its last one
};

enum class Annotation : std::uint32_t { kInteger = 4, kString = 6, kName = 10 };

}  // namespace vgsim::trace::perfetto
