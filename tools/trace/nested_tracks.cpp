#include "tools/trace/nested_tracks.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace vgsim::trace {
namespace {

std::int64_t nanoseconds(SimTime time) {
  const std::int64_t picoseconds = std::max<std::int64_t>(time.count(), 0);
  return picoseconds / 1000 + (picoseconds % 1000 >= 500 ? 1 : 0);
}

/// A track that is filled from left to right.
class Track {
 public:
  explicit Track(const std::vector<Interval>& intervals) : intervals_(intervals) {}

  /// Whether the interval nests in those open at its beginning. Closes those that end before.
  bool fits(const Interval& interval) {
    end_up_to(interval.begin);
    return open_.empty() || interval.end <= intervals_[open_.back()].end;
  }

  void add(std::size_t index) {
    const Interval& interval = intervals_[index];
    if (interval.begin == interval.end) {
      events_.push_back({Event::Type::kInstant, interval.begin, index});
      return;
    }
    events_.push_back({Event::Type::kBegin, interval.begin, index});
    open_.push_back(index);
  }

  std::vector<Event> finish() && {
    while (!open_.empty()) end_last();
    return std::move(events_);
  }

 private:
  void end_up_to(std::int64_t time) {
    while (!open_.empty() && intervals_[open_.back()].end <= time) end_last();
  }

  void end_last() {
    events_.push_back({Event::Type::kEnd, intervals_[open_.back()].end, open_.back()});
    open_.pop_back();
  }

  const std::vector<Interval>& intervals_;
  std::vector<std::size_t> open_;  // The innermost last.
  std::vector<Event> events_;
};

}  // namespace

Interval on_trace_clock(SimTime begin, SimTime end) {
  const std::int64_t from = nanoseconds(begin);
  return {from, std::max(from, nanoseconds(end))};
}

std::vector<std::vector<Event>> nested_tracks(const std::vector<Interval>& intervals) {
  std::vector<std::size_t> order(intervals.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::make_tuple(intervals[a].begin, -intervals[a].end, a) <
           std::make_tuple(intervals[b].begin, -intervals[b].end, b);
  });
  std::vector<Track> tracks;
  for (const std::size_t index : order) {
    const auto track = std::find_if(tracks.begin(), tracks.end(),
                                    [&](Track& each) { return each.fits(intervals[index]); });
    if (track != tracks.end()) {
      track->add(index);
    } else {
      tracks.emplace_back(intervals).add(index);
    }
  }
  std::vector<std::vector<Event>> events;
  for (Track& track : tracks) events.push_back(std::move(track).finish());
  return events;
}

}  // namespace vgsim::trace
