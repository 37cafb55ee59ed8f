#include "sim/symmetry.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "random_systems.hpp"
#include "sim/floor_check.hpp"

namespace vgsim {
namespace symmetry_test {

using namespace literals;

void expect_same_times(const Timeline& a, const Timeline& b) {
  RC_ASSERT(a.makespan == b.makespan);
  RC_ASSERT(a.first_ends == b.first_ends);
  RC_ASSERT(a.carried == b.carried);
  RC_ASSERT(a.earlier.size() == b.earlier.size());
  for (std::uint64_t back = 0; back <= a.earlier.size(); ++back) {
    for (std::uint32_t i = 0; i < a.tasks.size(); ++i) {
      const TaskRecord& x = *a.find(TaskId{i}, back);
      const TaskRecord& y = *b.find(TaskId{i}, back);
      RC_ASSERT(x.ready == y.ready);
      RC_ASSERT(x.flow_begin == y.flow_begin);
      RC_ASSERT(x.flow_end == y.flow_end);
      RC_ASSERT(x.end == y.end);
    }
  }
}

/// Several equal copies of a network and a graph, with random barriers that wait for a task of
/// every copy. The capacities of `odd` copies differ.
struct Copies {
  Network network;
  TaskGraph graph;
};

Copies copies_of(const Network& network, const TaskGraph& graph, std::uint32_t copies, bool odd) {
  Copies result;
  const auto resources = static_cast<std::uint32_t>(network.resources.size());
  const auto routes = static_cast<std::uint32_t>(network.routes.size());
  const auto tasks = static_cast<std::uint32_t>(graph.size());
  for (std::uint32_t c = 0; c < copies; ++c) {
    for (std::uint32_t r = 0; r < resources; ++r) {
      const bool other = odd && c == 0 && r == 0;
      result.network.resources.add(network.resources.capacity(ResourceId{r}) + (other ? 1 : 0));
    }
    for (std::uint32_t r = 0; r < routes; ++r) {
      std::vector<Crossing> crossings;
      for (const Crossing& x : network.routes.crossings(RouteId{r})) {
        crossings.push_back(
            {ResourceId{static_cast<std::uint32_t>(x.resource) + c * resources}, x.coefficient});
      }
      result.network.routes.add(crossings);
    }
    for (std::uint32_t t = 0; t < tasks; ++t) {
      Task task = graph.task(TaskId{t});
      if (task.flow) {
        task.flow->route = RouteId{static_cast<std::uint32_t>(task.flow->route) + c * routes};
      }
      result.graph.add(task);
    }
  }
  for (std::uint32_t c = 0; c < copies; ++c) {
    for (const Edge& e : graph.edges()) {
      result.graph.depend(TaskId{static_cast<std::uint32_t>(e.before) + c * tasks},
                          TaskId{static_cast<std::uint32_t>(e.after) + c * tasks});
    }
  }
  const TaskId barrier = result.graph.add({1_s, std::nullopt, 0, 0, 1, 0_s});
  for (std::uint32_t c = 0; c < copies; ++c) {
    result.graph.depend(TaskId{c * tasks}, barrier);
    result.graph.depend(barrier, TaskId{c * tasks}, 1);
  }
  return result;
}

RC_GTEST_PROP(Symmetry, TheQuotientHasTheTimelineOfTheFullGraph, ()) {
  const Network network = random_systems::network(4, false);
  const TaskGraph graph = random_systems::graph(network, 6);
  const auto copies = *rc::gen::inRange<std::uint32_t>(1, 5);
  const Copies system = copies_of(network, graph, copies, *rc::gen::inRange(0, 3) == 0);
  RunOptions options;
  options.iterations = *rc::gen::inRange<std::uint64_t>(1, 6);
  options.keep = 3;
  options.find_repeat = false;
  const Timeline full = simulate(system.graph, system.network, options);
  const Timeline classes = simulate_by_classes(system.graph, system.network, options);
  expect_same_times(full, classes);
  RC_ASSERT(floor_violation(system.graph, system.network, classes) == std::nullopt);
  RC_ASSERT(classes.events <= full.events);
}

Partition partition_of(const TaskGraph& graph, const Network& network) {
  return coarsest_equitable_partition(graph, network, InitialColours(graph, network));
}

TEST(Symmetry, EqualCopiesAreOneClassAndADifferentOneBreaksIt) {
  Network network;
  network.routes.add({{network.resources.add(7)}});
  TaskGraph graph;
  Task task;
  task.flow = FlowWork{RouteId{0}, 5, std::nullopt, 1};
  graph.add(task);
  const auto partition = [&](bool odd) {
    const Copies system = copies_of(network, graph, 1000, odd);
    return partition_of(system.graph, system.network);
  };
  EXPECT_EQ(partition(false).task_classes, 2U) << "the copies and the barrier";
  EXPECT_EQ(partition(false).resource_classes, 1U);
  EXPECT_EQ(partition(true).task_classes, 3U) << "and the odd copy";
  EXPECT_EQ(partition(true).resource_classes, 2U);
}

/// The same tasks on the same links, some of which are faster or slower by one factor.
Copies at_other_values(const Copies& system, std::uint32_t odd_resource) {
  Copies result;
  result.network.routes = system.network.routes;
  for (std::uint32_t r = 0; r < system.network.resources.size(); ++r) {
    const std::int64_t factor = r == odd_resource ? 3 : 2;
    result.network.resources.add(system.network.resources.capacity(ResourceId{r}) * factor);
  }
  for (std::uint32_t t = 0; t < system.graph.size(); ++t) {
    Task task = system.graph.task(TaskId{t});
    task.delay *= 3;
    result.graph.add(task);
  }
  for (const Edge& e : system.graph.edges()) result.graph.depend(e.before, e.after, e.lag);
  return result;
}

RC_GTEST_PROP(Symmetry, ACachedStructureIsNotReusedWhenValuesSplitClasses, ()) {
  const Network network = random_systems::network(4, false);
  const TaskGraph graph = random_systems::graph(network, 6);
  const Copies system = copies_of(network, graph, *rc::gen::inRange<std::uint32_t>(2, 5), false);
  const auto resources = static_cast<std::uint32_t>(system.network.resources.size());
  // Index past the last copy: none is odd, and the classes are the same with other values.
  const auto odd = *rc::gen::inRange<std::uint32_t>(0, 2 * resources);
  RunOptions options;
  options.iterations = 3;
  options.keep = 3;
  options.find_repeat = false;
  (void)simulate_by_classes(system.graph, system.network, options);
  const Copies other = at_other_values(system, odd);
  bool inspected = false;
  const Timeline classes = simulate_by_classes(
      other.graph, other.network, options,
      [&](const TaskGraph& tasks, const Network& links, const Timeline& timeline) {
        inspected = true;
        RC_ASSERT(tasks.size() == timeline.tasks.size());
        RC_ASSERT(floor_violation(tasks, links, timeline) == std::nullopt);
      });
  RC_ASSERT(inspected);
  expect_same_times(simulate(other.graph, other.network, options), classes);
}

/// A ring of k tasks that feed each other, each with its own edge.
Copies ring(std::uint32_t edges, std::uint32_t rounds) {
  Copies result;
  for (std::uint32_t i = 0; i < edges; ++i) {
    const RouteId route = result.network.routes.add({{result.network.resources.add(10)}});
    result.graph.add({0_s, FlowWork{route, 20, std::nullopt, 1}, 0, i, rounds, 3_s});
  }
  for (std::uint32_t i = 0; i < edges; ++i) {
    result.graph.feed(TaskId{i}, TaskId{(i + 1) % edges}, 1);
  }
  return result;
}

TEST(Symmetry, ARingIsOneClassAndTakesRoundsTimesLatencyAndTransfer) {
  const Copies system = ring(64, 126);
  EXPECT_EQ(partition_of(system.graph, system.network).task_classes, 1U);
  const Timeline classes = simulate_by_classes(system.graph, system.network);
  EXPECT_EQ(classes.makespan, 126 * 5_s);
  const Timeline full = simulate(system.graph, system.network);
  EXPECT_EQ(full.makespan, 126 * 5_s);
  EXPECT_EQ(full.carried, std::vector<Ratio>(64, Ratio(126 * 20)));
  EXPECT_EQ(classes.carried, full.carried);
}

TEST(Symmetry, ParallelPipelinesAreOneClassPerStage) {
  // Two stages of 20 over 10 a second: three rounds through both take four times 2 s.
  Copies system;
  for (std::uint32_t copy = 0; copy < 8; ++copy) {
    std::vector<TaskId> stages;
    for (std::uint32_t stage = 0; stage < 2; ++stage) {
      const RouteId route = system.network.routes.add({{system.network.resources.add(10)}});
      stages.push_back(
          system.graph.add({0_s, FlowWork{route, 20, std::nullopt, 1}, 0, stage, 3, 0_s}));
    }
    system.graph.feed(stages[0], stages[1], 0);
  }
  EXPECT_EQ(partition_of(system.graph, system.network).task_classes, 2U);
  const Timeline classes = simulate_by_classes(system.graph, system.network);
  EXPECT_EQ(classes.makespan, 4 * 2_s);
  EXPECT_EQ(classes.tasks[15].last_dependency, TaskId{14});
  expect_same_times(simulate(system.graph, system.network), classes);
}

}  // namespace symmetry_test
}  // namespace vgsim
