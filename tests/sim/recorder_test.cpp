#include "sim/recorder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vgsim {
namespace recorder_test {

using namespace literals;
using ::testing::ElementsAre;

constexpr TaskId kTask{0};

TEST(Recorder, MergesEqualNeighboursAndKeepsTheLastOfOneTime) {
  Recorder recorder(1, 1);
  recorder.flow_begin(kTask, 0, 1_s);
  recorder.limited(kTask, 0, 1_s, ResourceId{4});
  recorder.limited(kTask, 0, 2_s, ResourceId{4});
  recorder.limited(kTask, 0, 3_s, ResourceId{5});
  recorder.limited(kTask, 0, 3_s, std::nullopt);
  recorder.limited(kTask, 0, 4_s, ResourceId{6});
  recorder.limited(kTask, 0, 4_s, std::nullopt);
  recorder.flow_end(kTask, 0, 6_s);
  const Timeline timeline = std::move(recorder).finish(1, {});
  EXPECT_THAT(timeline.task(kTask).intervals, ElementsAre(FlowInterval{1_s, 3_s, ResourceId{4}},
                                                          FlowInterval{3_s, 6_s, std::nullopt}));
}

TEST(Recorder, DropsAnIntervalThatBeginsAtTheEnd) {
  Recorder recorder(1, 1);
  recorder.limited(kTask, 0, 1_s, ResourceId{4});
  recorder.limited(kTask, 0, 2_s, ResourceId{5});
  recorder.flow_end(kTask, 0, 2_s);
  const Timeline timeline = std::move(recorder).finish(1, {});
  EXPECT_THAT(timeline.task(kTask).intervals, ElementsAre(FlowInterval{1_s, 2_s, ResourceId{4}}));
}

TEST(Recorder, TheLastTaskIsTheLowestOfThoseThatEndLast) {
  Timeline timeline;
  timeline.tasks.resize(3);
  timeline.tasks[1].end = 5_s;
  timeline.tasks[2].end = 5_s;
  EXPECT_EQ(last_task(timeline), TaskId{1});
}

TEST(Recorder, CountsEventsAndWhatWasCarried) {
  Recorder recorder(1, 1);
  recorder.event(1_s, 0, 0);
  recorder.event(1_s, 2, 0);
  recorder.carried({Ratio(0), Ratio::of(7, 2)});
  const Timeline timeline = std::move(recorder).finish(1, {});
  EXPECT_EQ(timeline.events, 2U);
  EXPECT_THAT(timeline.carried, ElementsAre(Ratio(0), Ratio::of(7, 2)));
}

}  // namespace recorder_test
}  // namespace vgsim
