#include "sim/task_graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace vgsim {
namespace task_graph_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TaskGraph graph_of(std::size_t tasks, const std::vector<std::pair<int, int>>& edges) {
  TaskGraph graph;
  for (std::size_t i = 0; i < tasks; ++i) graph.add({});
  for (const auto& [before, after] : edges) {
    graph.depend(static_cast<TaskId>(before), static_cast<TaskId>(after));
  }
  return graph;
}

TEST(TaskGraph, ADiamondCanRun) {
  EXPECT_NO_THROW(graph_of(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {2, 3}}).check());
  EXPECT_NO_THROW(TaskGraph{}.check());
}

TEST(TaskGraph, ACycleIsReportedWithTheTasksThatItBlocks) {
  try {
    graph_of(7, {{6, 4}, {4, 2}, {2, 5}, {5, 4}, {2, 3}, {0, 1}}).check();
    FAIL() << "no cycle found";
  } catch (const CycleError& error) {
    EXPECT_THAT(error.cycle(), ElementsAre(TaskId{2}, TaskId{5}, TaskId{4}));
    EXPECT_THAT(error.unreachable(), ElementsAre(TaskId{2}, TaskId{3}, TaskId{4}, TaskId{5}));
    EXPECT_THAT(error.what(), HasSubstr("2 -> 5 -> 4 -> 2"));
    EXPECT_THAT(error.what(), HasSubstr("2, 3, 4, 5"));
  }
}

TEST(TaskGraph, ATaskThatWaitsForItselfIsACycle) {
  try {
    graph_of(2, {{1, 1}}).check();
    FAIL() << "no cycle found";
  } catch (const CycleError& error) {
    EXPECT_THAT(error.cycle(), ElementsAre(TaskId{1}));
  }
}

TEST(TaskGraph, LongChainsDoNotOverflowTheStack) {
  TaskGraph graph;
  const std::uint32_t length = 300'000;
  for (std::uint32_t i = 0; i < length; ++i) {
    graph.add({});
    if (i > 0) graph.depend(TaskId{i}, TaskId{i - 1});
  }
  EXPECT_NO_THROW(graph.check());
  graph.depend(TaskId{0}, TaskId{length - 1});
  EXPECT_THROW(graph.check(), CycleError);
}

TEST(TaskGraph, NeighboursAreSortedOnBothSides) {
  const TaskGraph graph = graph_of(4, {{0, 3}, {1, 2}, {0, 1}});
  const auto others = [&](Adjacency::Side side, std::uint32_t task) {
    const Adjacency adjacency(graph.size(), graph.edges(), side);
    std::vector<TaskId> ids;
    for (const Adjacency::Link& link : adjacency.of(TaskId{task})) ids.push_back(link.other);
    return ids;
  };
  EXPECT_THAT(others(Adjacency::Side::out, 0), ElementsAre(TaskId{1}, TaskId{3}));
  EXPECT_THAT(others(Adjacency::Side::out, 1), ElementsAre(TaskId{2}));
  EXPECT_THAT(others(Adjacency::Side::out, 3), ElementsAre());
  EXPECT_THAT(others(Adjacency::Side::in, 2), ElementsAre(TaskId{1}));
  EXPECT_THAT(others(Adjacency::Side::in, 0), ElementsAre());
}

TEST(TaskGraph, ALagBreaksACycle) {
  TaskGraph graph = graph_of(2, {{0, 1}});
  graph.depend(TaskId{1}, TaskId{0}, 1);
  EXPECT_NO_THROW(graph.check());
  EXPECT_EQ(graph.longest_lag(), 1);
}

TEST(TaskGraph, RefusesToFeedATaskOfOtherRounds) {
  TaskGraph graph;
  Task twice;
  twice.rounds = 2;
  const TaskId a = graph.add(twice);
  const TaskId b = graph.add({});
  EXPECT_THROW(graph.feed(a, b, 1), std::invalid_argument);
  Task never;
  never.rounds = 0;
  EXPECT_THROW(graph.add(never), std::invalid_argument);
}

TEST(TaskGraph, RefusesUnknownTasksAndNegativeDelays) {
  TaskGraph graph;
  const TaskId task = graph.add({});
  EXPECT_THROW(graph.depend(task, TaskId{1}), std::out_of_range);
  EXPECT_THROW(graph.depend(TaskId{1}, task), std::out_of_range);
  Task negative;
  negative.delay = SimTime{-1};
  EXPECT_THROW(graph.add(negative), std::invalid_argument);
}

}  // namespace task_graph_test
}  // namespace vgsim
