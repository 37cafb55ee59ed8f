#include "tools/trace/nested_tracks.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

namespace vgsim::trace {
namespace nested_tracks_test {

using Type = Event::Type;

/// Walks over a track as a viewer does, with a stack. Returns what is drawn, by interval.
std::map<std::size_t, Interval> drawn(const std::vector<Event>& track) {
  std::map<std::size_t, Interval> found;
  std::vector<Event> open;
  std::int64_t now = 0;
  for (const Event& event : track) {
    EXPECT_GE(event.time, now);
    now = event.time;
    if (event.type == Type::kBegin) {
      open.push_back(event);
    } else if (event.type == Type::kInstant) {
      found[event.interval] = {event.time, event.time};
    } else if (open.empty() || open.back().interval != event.interval) {
      ADD_FAILURE() << "an end without its begin";
    } else {
      EXPECT_LT(open.back().time, event.time);
      found[event.interval] = {open.back().time, event.time};
      open.pop_back();
    }
  }
  EXPECT_TRUE(open.empty());
  return found;
}

TEST(NestedTracks, WhatComesOneAfterTheOtherTakesOneTrack) {
  EXPECT_EQ(nested_tracks({{0, 10}, {10, 20}, {30, 40}}).size(), 1U);
}

TEST(NestedTracks, AnIntervalMayStandInAnother) {
  EXPECT_EQ(nested_tracks({{2, 5}, {0, 10}, {5, 10}}).size(), 1U);
}

TEST(NestedTracks, OverlapsTakeAsManyTracksAsHappenAtOnce) {
  EXPECT_EQ(nested_tracks({{0, 10}, {5, 15}, {8, 20}}).size(), 3U);
  EXPECT_EQ(nested_tracks({{0, 10}, {5, 15}, {10, 20}}).size(), 2U);
}

TEST(NestedTracks, NothingTakesNoTrack) { EXPECT_TRUE(nested_tracks({}).empty()); }

TEST(NestedTracks, AnIntervalWithoutLengthIsAnInstant) {
  const auto tracks = nested_tracks({{0, 10}, {4, 4}, {10, 10}});
  ASSERT_EQ(tracks.size(), 1U);
  EXPECT_EQ(std::count_if(tracks[0].begin(), tracks[0].end(),
                          [](const Event& event) { return event.type == Type::kInstant; }),
            2);
}

RC_GTEST_PROP(NestedTracks, DrawEveryIntervalOnceWithItsTimes, ()) {
  std::vector<Interval> intervals;
  for (const auto& [begin, length] : *rc::gen::container<std::vector<std::pair<int, int>>>(
           rc::gen::pair(rc::gen::inRange(0, 30), rc::gen::inRange(0, 12)))) {
    intervals.push_back({begin, begin + length});
  }
  std::map<std::size_t, Interval> all;
  for (const auto& track : nested_tracks(intervals)) {
    for (const auto& [index, interval] : drawn(track)) {
      RC_ASSERT(all.emplace(index, interval).second);
    }
  }
  RC_ASSERT(all.size() == intervals.size());
  for (const auto& [index, interval] : all) {
    RC_ASSERT(interval.begin == intervals[index].begin);
    RC_ASSERT(interval.end == intervals[index].end);
  }
}

TEST(TraceClock, RoundsToTheNearestNanosecond) {
  EXPECT_EQ(on_trace_clock(SimTime{1'499}, SimTime{1'500}).begin, 1);
  EXPECT_EQ(on_trace_clock(SimTime{1'499}, SimTime{1'500}).end, 2);
  EXPECT_EQ(on_trace_clock(SimTime{0}, SimTime{INT64_MAX}).end, INT64_MAX / 1000 + 1);
}

TEST(TraceClock, HasNoNegativeTimesAndNoNegativeLengths) {
  EXPECT_EQ(on_trace_clock(SimTime{-5'000}, SimTime{-1'000}).begin, 0);
  EXPECT_EQ(on_trace_clock(SimTime{-5'000}, SimTime{-1'000}).end, 0);
  const Interval turned = on_trace_clock(SimTime{9'000}, SimTime{2'000});
  EXPECT_EQ(turned.begin, turned.end);
}

RC_GTEST_PROP(TraceClock, KeepsTheOrderOfTimes, ()) {
  const auto a = *rc::gen::inRange<std::int64_t>(0, 1'000'000);
  const auto b = *rc::gen::inRange<std::int64_t>(a, 1'000'001);
  const Interval interval = on_trace_clock(SimTime{a}, SimTime{b});
  RC_ASSERT(interval.begin <= interval.end);
  RC_ASSERT(std::abs(interval.begin * 1000 - a) <= 500);
}

}  // namespace nested_tracks_test
}  // namespace vgsim::trace
