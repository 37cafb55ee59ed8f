#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vgsim::trace {

/// Identity, name and position of a track.
struct TrackPlace {
  std::uint64_t uuid = 0;    ///< not 0
  std::uint64_t parent = 0;  ///< 0: none
  std::string name;
  std::string description;
  std::int32_t rank = 0;      ///< among those with the same parent
  bool orders_below = false;  ///< a group: its children are ordered by their ranks
};

struct NamedValue {
  std::string name;
  std::string text;
  std::optional<std::int64_t> number;  ///< instead of `text`
};

enum class EventType : std::int32_t { kSliceBegin = 1, kSliceEnd, kInstant, kCounterValue };

/// An event of a track.
struct TraceEvent {
  std::int64_t time = 0;  ///< nanoseconds
  EventType type = EventType::kInstant;
  std::uint64_t track = 0;
  std::string name;
  std::string category;
  std::vector<NamedValue> values;
  double counter = 0;                      ///< of kCounterValue
  std::vector<std::uint64_t> flows_out{};  ///< arrows that begin at this slice
  std::vector<std::uint64_t> flows_in{};   ///< arrows that end at it
};

/// Writes a trace: all tracks, parents first, then all events in time order.
class TraceWriter {
 public:
  virtual ~TraceWriter() = default;
  virtual void process(const TrackPlace& place, std::int32_t pid) = 0;
  virtual void track(const TrackPlace& place) = 0;
  virtual void counter(const TrackPlace& place, const std::string& unit) = 0;
  virtual void event(const TraceEvent& event) = 0;

  /// The complete trace.
  [[nodiscard]] virtual std::string bytes() const = 0;
};

}  // namespace vgsim::trace
