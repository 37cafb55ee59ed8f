#include "sim/engine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "random_systems.hpp"
#include "sim/floor_check.hpp"

namespace vgsim {
namespace engine_test {

using namespace literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Tasks on a network in which route i crosses resource i.
class Engine : public ::testing::Test {
 protected:
  void resources(const std::vector<Ratio>& capacities) {
    for (const Ratio& capacity : capacities) {
      network.routes.add({{network.resources.add(capacity)}});
    }
  }
  TaskId flow(SimTime delay, std::uint32_t route, std::int64_t amount) {
    Task task;
    task.delay = delay;
    task.flow = FlowWork{RouteId{route}, Ratio(amount), std::nullopt, 1};
    return graph.add(task);
  }
  TaskId wait(SimTime delay) {
    Task task;
    task.delay = delay;
    return graph.add(task);
  }
  TaskRecord run(TaskId task) { return simulate(graph, network).task(task); }

  Network network;
  TaskGraph graph;
};

TEST_F(Engine, ATaskRunsItsDelayAndThenItsFlow) {
  resources({10});
  const TaskRecord record = run(flow(3_s, 0, 20));
  EXPECT_EQ(record.ready, 0_s);
  EXPECT_EQ(record.flow_begin, 3_s);
  EXPECT_EQ(record.end, 5_s);
  EXPECT_EQ(record.last_dependency, kNoTask);
  EXPECT_THAT(record.intervals, ElementsAre(FlowInterval{3_s, 5_s, ResourceId{0}}));
}

TEST_F(Engine, ATaskWaitsForTheLastOfItsDependencies) {
  const TaskId slow = wait(4_s);
  const TaskId as_slow = wait(4_s);
  const TaskId fast = wait(1_s);
  const TaskId after = wait(2_s);
  for (const TaskId task : {as_slow, fast, slow}) graph.depend(task, after);
  const TaskRecord record = run(after);
  EXPECT_EQ(record.ready, 4_s);
  EXPECT_EQ(record.end, 6_s);
  EXPECT_EQ(record.flow_begin, 6_s);
  EXPECT_EQ(record.last_dependency, slow);
}

TEST_F(Engine, AChainWithoutDurationEndsWhereItBegan) {
  resources({10});
  const TaskId a = flow(1_s, 0, 0);
  const TaskId b = wait(0_s);
  const TaskId c = flow(0_s, 0, 0);
  graph.depend(a, b);
  graph.depend(b, c);
  const Timeline timeline = simulate(graph, network);
  EXPECT_EQ(timeline.task(c).end, 1_s);
  EXPECT_TRUE(timeline.task(c).intervals.empty());
  EXPECT_EQ(timeline.makespan, 1_s);
  EXPECT_EQ(timeline.events, 5U);
}

TEST_F(Engine, IntervalsNameTheBottleneckOfTheFlow) {
  network.routes.add({{network.resources.add(10)}, {network.resources.add(8)}});
  network.routes.add({{ResourceId{0}}});
  const TaskId both = flow(0_s, 0, 24);
  flow(1_s, 1, 10);
  const Timeline timeline = simulate(graph, network);
  EXPECT_THAT(
      timeline.task(both).intervals,
      ElementsAre(FlowInterval{0_s, 1_s, ResourceId{1}}, FlowInterval{1_s, 3_s, ResourceId{0}},
                  FlowInterval{3_s, 3_s + 750_ms, ResourceId{1}}));
  EXPECT_THAT(timeline.carried, ElementsAre(Ratio(34), Ratio(24)));
}

TEST_F(Engine, EqualLimitsInARowAreOneInterval) {
  resources({10});
  const TaskId longer = flow(0_s, 0, 30);
  flow(1_s, 0, 5);
  EXPECT_EQ(run(longer).intervals.size(), 1U);
}

TEST_F(Engine, CapacityChangesActAtTheirTime) {
  resources({10});
  network.capacity_changes = {{1_s, ResourceId{0}, 7},
                              {1_s, ResourceId{0}, 0},
                              {3_s, ResourceId{0}, 10},
                              {900_s, ResourceId{0}, 1}};
  EXPECT_EQ(run(flow(0_s, 0, 20)).end, 4_s);
}

TEST_F(Engine, FlowsThatNeverProgressAreNamed) {
  resources({10, 0});
  flow(0_s, 0, 20);
  const TaskId stuck = flow(0_s, 1, 20);
  graph.depend(stuck, wait(0_s));
  try {
    static_cast<void>(simulate(graph, network));
    FAIL() << "not stalled";
  } catch (const Stalled& stalled) {
    EXPECT_THAT(stalled.tasks(), ElementsAre(stuck));
    EXPECT_THAT(stalled.what(), HasSubstr("stalled"));
    EXPECT_THAT(stalled.what(), HasSubstr("task(s) 1"));
  }
}

TEST_F(Engine, TimeBeyondTheRangeIsAnError) {
  resources({1});
  flow(0_s, 0, 10'000'000);
  EXPECT_THROW(static_cast<void>(simulate(graph, network)), OverflowError);
}

TEST_F(Engine, LimitsStopARun) {
  for (int i = 0; i < 3000; ++i) wait(1_s);
  RunOptions events;
  events.limits.max_events = 2999;
  EXPECT_THROW(static_cast<void>(simulate(graph, network, events)), LimitExceeded);
  events.limits.max_events = 3000;
  EXPECT_NO_THROW(static_cast<void>(simulate(graph, network, events)));
  RunOptions deadline;
  int asked = 0;
  deadline.limits.deadline_passed = [&asked] { return ++asked > 2; };
  EXPECT_THROW(static_cast<void>(simulate(graph, network, deadline)), LimitExceeded);
}

TEST_F(Engine, ABadCapacityChangeIsRefused) {
  resources({1});
  wait(1_s);
  network.capacity_changes = {{SimTime{-1}, ResourceId{0}, 1}};
  EXPECT_THROW(static_cast<void>(simulate(graph, network)), std::invalid_argument);
  network.capacity_changes = {{0_s, ResourceId{7}, 1}};
  EXPECT_THROW(static_cast<void>(simulate(graph, network)), std::invalid_argument);
}

TEST_F(Engine, AnEmptyGraphTakesNoTime) {
  const Timeline timeline = simulate(graph, network);
  EXPECT_EQ(timeline.makespan, 0_s);
  EXPECT_EQ(last_task(timeline), std::nullopt);
}

/// The graph with task i renamed to place[i].
TaskGraph renamed(const TaskGraph& graph, const std::vector<std::size_t>& place) {
  std::vector<Task> tasks(graph.size());
  for (std::size_t i = 0; i < place.size(); ++i) {
    tasks[place[i]] = graph.task(static_cast<TaskId>(i));
  }
  TaskGraph result;
  for (const Task& task : tasks) result.add(task);
  for (auto edge = graph.edges().rbegin(); edge != graph.edges().rend(); ++edge) {
    result.depend(static_cast<TaskId>(place[static_cast<std::size_t>(edge->before)]),
                  static_cast<TaskId>(place[static_cast<std::size_t>(edge->after)]));
  }
  return result;
}

RC_GTEST_PROP(EngineProperties, TaskIdsDoNotChangeTheTimes, ()) {
  const Network network = random_systems::network(4, false);
  const TaskGraph graph = random_systems::graph(network);
  std::vector<std::size_t> place(graph.size());
  std::iota(place.begin(), place.end(), 0U);
  for (std::size_t i = place.size(); i > 1; --i) {
    std::swap(place[i - 1], place[*rc::gen::inRange<std::size_t>(0, i)]);
  }
  const Timeline one = simulate(graph, network);
  const Timeline other = simulate(renamed(graph, place), network);
  RC_ASSERT(one.makespan == other.makespan);
  RC_ASSERT(one.carried == other.carried);
  RC_ASSERT(one.events == other.events);
  for (std::size_t i = 0; i < place.size(); ++i) {
    RC_ASSERT(one.tasks[i].ready == other.tasks[place[i]].ready);
    RC_ASSERT(one.tasks[i].end == other.tasks[place[i]].end);
    RC_ASSERT(one.tasks[i].intervals == other.tasks[place[i]].intervals);
  }
}

RC_GTEST_PROP(EngineProperties, RunsPassTheFloorCheckAndCarryAllAmounts, ()) {
  const Network network = random_systems::network(4, false);
  const TaskGraph graph = random_systems::graph(network);
  const Timeline timeline = simulate(graph, network);
  RC_ASSERT(floor_violation(graph, network, timeline) == std::nullopt);
  std::vector<Ratio> amounts(network.resources.size());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const FlowWork* flow = graph.flow(static_cast<TaskId>(i));
    if (flow == nullptr) continue;
    for (const auto& [resource, coefficient] : network.routes.crossings(flow->route)) {
      amounts[static_cast<std::size_t>(resource)] += flow->amount * coefficient;
    }
  }
  RC_ASSERT(timeline.carried == amounts);
  for (const TaskRecord& record : timeline.tasks) {
    SimTime reached = record.flow_begin;
    for (const FlowInterval& interval : record.intervals) {
      RC_ASSERT(interval.begin == reached);
      RC_ASSERT(interval.begin < interval.end);
      reached = interval.end;
    }
    RC_ASSERT((record.intervals.empty() || reached == record.end));
  }
}

RC_GTEST_PROP(EngineProperties, DoublingASharedResourceNeverIncreasesTheMakespan, ()) {
  const std::int64_t capacity = *rc::gen::inRange(1, 6);
  const int tasks = *rc::gen::inRange(1, 10);
  TaskGraph graph;
  for (int i = 0; i < tasks; ++i) {
    Task task;
    task.delay = SimTime{*rc::gen::inRange(0, 3) * kPicosecondsPerSecond};
    task.flow = FlowWork{RouteId{0}, Ratio(*rc::gen::inRange(0, 7)), std::nullopt, 1};
    graph.add(task);
  }
  const auto makespan = [&graph](const Ratio& per_second) {
    Network network;
    network.routes.add({{network.resources.add(per_second)}});
    return simulate(graph, network).makespan;
  };
  RC_ASSERT(makespan(2 * capacity) <= makespan(capacity));
}

}  // namespace engine_test
}  // namespace vgsim
