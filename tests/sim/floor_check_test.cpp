#include "sim/floor_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/engine.hpp"

namespace vgsim {
namespace floor_check_test {

using namespace literals;
using ::testing::HasSubstr;
using ::testing::Optional;

/// Two flows of 10 over one resource of 10 per second, which takes 2 s; then a pause of 1 s.
class Floor : public ::testing::Test {
 protected:
  Floor() {
    network.routes.add({{network.resources.add(10), 1}});
    Task task;
    task.flow = FlowWork{RouteId{0}, 10, Ratio(8), 1};
    const TaskId first = graph.add(task);
    graph.add(task);
    Task pause;
    pause.delay = 1_s;
    graph.depend(first, graph.add(pause));
    timeline = simulate(graph, network);
  }
  std::optional<std::string> violation() { return floor_violation(graph, network, timeline); }

  Network network;
  TaskGraph graph;
  Timeline timeline;
};

TEST_F(Floor, ACorrectTimelinePasses) { EXPECT_EQ(violation(), std::nullopt); }

TEST_F(Floor, AFlowFasterThanItsCapIsCaught) {
  timeline.tasks[1].flow_end = timeline.tasks[1].end = 1_s;
  EXPECT_THAT(violation(), Optional(HasSubstr("task 1's flow takes 1000000000000 ps, less than "
                                              "its rate cap")));
}

TEST_F(Floor, AFlowFasterThanAResourceIsCaught) {
  network.resources = ResourceTable({4});
  EXPECT_THAT(violation(), Optional(HasSubstr("less than resource 0 allows")));
}

TEST_F(Floor, AnOverbookedResourceIsCaught) {
  for (std::size_t i : {0U, 1U}) timeline.tasks[i].flow_end = timeline.tasks[i].end = 2_s - 1_ps;
  EXPECT_THAT(violation(), Optional(HasSubstr("resource 0 is busy for")));
}

TEST_F(Floor, IdleTimeIsNotBusyTime) {
  timeline.tasks[1].ready = timeline.tasks[1].flow_begin = 100_s;
  timeline.tasks[1].flow_end = timeline.tasks[1].end = timeline.makespan = 102_s;
  timeline.tasks[0].flow_end = timeline.tasks[0].end = 2_s - 1_ps;
  EXPECT_EQ(violation(), std::nullopt);
}

TEST_F(Floor, TheHighestCapacityCounts) {
  network.resources = ResourceTable({1});
  network.capacity_changes = {{0_s, ResourceId{0}, 10}};
  EXPECT_EQ(violation(), std::nullopt);
}

TEST_F(Floor, ATaskBeforeItsDependencyIsCaught) {
  timeline.tasks[2].ready = 1_s;
  EXPECT_THAT(violation(), Optional(HasSubstr("task 2 is ready")));
}

TEST_F(Floor, ASkippedDelayIsCaught) {
  timeline.tasks[2].flow_begin -= 1_ps;
  EXPECT_THAT(violation(), Optional(HasSubstr("with a delay of")));
}

TEST_F(Floor, AWrongMakespanIsCaught) {
  timeline.makespan -= 1_ps;
  EXPECT_THAT(violation(), Optional(HasSubstr("makespan")));
}

TEST_F(Floor, AMissingTaskIsCaught) {
  timeline.tasks.pop_back();
  EXPECT_THAT(violation(), Optional(HasSubstr("lacks tasks")));
}

}  // namespace floor_check_test
}  // namespace vgsim
