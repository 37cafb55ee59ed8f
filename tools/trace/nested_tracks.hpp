#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/units.hpp"

namespace vgsim::trace {

/// Begin and end on the clock of a trace, in nanoseconds, not negative.
struct Interval {
  std::int64_t begin = 0;
  std::int64_t end = 0;  ///< not before `begin`
};

/// Rounded to the nearest nanosecond, monotonically; negative times become 0, and an end before
/// its beginning becomes that beginning.
[[nodiscard]] Interval on_trace_clock(SimTime begin, SimTime end);

struct Event {
  enum class Type { kBegin, kEnd, kInstant };
  Type type = Type::kInstant;
  std::int64_t time = 0;
  std::size_t interval = 0;  ///< index into the input
};

/// The intervals as tracks of events in time order. Within a track intervals nest, as trace
/// viewers require; intervals that overlap otherwise go to further tracks, first fit. Intervals
/// of length 0 become instants.
[[nodiscard]] std::vector<std::vector<Event>> nested_tracks(const std::vector<Interval>& intervals);

}  // namespace vgsim::trace
