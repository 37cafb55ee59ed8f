#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/trace/perfetto_fields.hpp"

namespace vgsim::trace {

/// Identity, name and position of a track.
struct TrackPlace {
  std::uint64_t uuid = 0;    ///< not 0
  std::uint64_t parent = 0;  ///< 0: none
  std::string name;
  std::string description;
  std::int32_t rank = 0;      ///< among those with the same parent
  bool orders_below = false;  ///< its children are ordered by their ranks
};

struct NamedValue {
  std::string name;
  std::string text;
  std::optional<std::int64_t> number;  ///< instead of `text`
};

/// An event of a track.
struct TraceEvent {
  std::int64_t time = 0;  ///< nanoseconds
  perfetto::EventType type = perfetto::kInstant;
  std::uint64_t track = 0;
  std::string name;
  std::string category;
  std::vector<NamedValue> values;
  double counter = 0;  ///< of kCounterValue
};

/// Writes the packets of a trace in the order in which they are added, as one sequence.
class PerfettoWriter {
 public:
  void process(const TrackPlace& place, std::int32_t pid);
  void track(const TrackPlace& place);
  void counter(const TrackPlace& place, const std::string& unit);
  void event(const TraceEvent& event);

  /// The trace, complete after each of these calls.
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  void packet(std::optional<std::int64_t> time, perfetto::Packet field, const std::string& content);

  std::string bytes_;
};

}  // namespace vgsim::trace
