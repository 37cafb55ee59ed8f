#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/units.hpp"

namespace vgsim::trace {

/// From and to a moment on the clock of a trace, in nanoseconds, neither of them negative.
struct Interval {
  std::int64_t begin = 0;
  std::int64_t end = 0;  ///< not before `begin`
};

/// Rounded to the nearest nanosecond. Earlier times never come out later; a negative time becomes 0
/// and an end before its beginning that beginning.
[[nodiscard]] Interval on_trace_clock(SimTime begin, SimTime end);

struct Event {
  enum class Type { kBegin, kEnd, kInstant };
  Type type = Type::kInstant;
  std::int64_t time = 0;
  std::size_t interval = 0;  ///< index into what was given
};

/// The intervals as tracks of events, in the order in which they happen. Within a track an interval
/// that begins in another one ends in it too, as viewers of traces want it; intervals that overlap
/// otherwise go to further tracks, as few as taking the first that fits gives. Intervals without
/// length become instants.
[[nodiscard]] std::vector<std::vector<Event>> nested_tracks(const std::vector<Interval>& intervals);

}  // namespace vgsim::trace
