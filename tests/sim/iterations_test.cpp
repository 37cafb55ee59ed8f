#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "random_systems.hpp"
#include "sim/critical_path.hpp"
#include "sim/engine.hpp"
#include "sim/floor_check.hpp"

namespace vgsim {
namespace iterations_test {

using namespace literals;

Task lasting(SimTime delay) { return {delay, std::nullopt, 0, 0, 1, 0_s}; }

Timeline run(const TaskGraph& graph, std::uint64_t iterations, bool find_repeat,
             const Network& network = {}) {
  RunOptions options;
  options.iterations = iterations;
  options.find_repeat = find_repeat;
  options.keep = 4;
  return simulate(graph, network, options);
}

TEST(Iterations, AChainThatFollowsItselfTakesItsLengthEachTime) {
  TaskGraph graph;
  const TaskId a = graph.add(lasting(2_s));
  const TaskId b = graph.add(lasting(3_s));
  graph.depend(a, b);
  graph.depend(b, a, 1);
  EXPECT_EQ(run(graph, 10, false).makespan, 50_s);
}

TEST(Iterations, WithoutADependencyBetweenThemTheyOverlapLikeAPipeline) {
  TaskGraph graph;
  const TaskId a = graph.add(lasting(2_s));
  const TaskId b = graph.add(lasting(3_s));
  graph.depend(a, b);
  EXPECT_EQ(run(graph, 10, false).makespan, 2_s + 10 * 3_s) << "b is the slower stage";
}

TEST(Iterations, WithALagTheFirstIterationsDoNotWait) {
  TaskGraph graph;
  const TaskId reader = graph.add(lasting(1_s));
  const TaskId user = graph.add(lasting(5_s));
  graph.depend(reader, user);
  graph.depend(user, reader, 2);
  const Timeline timeline = run(graph, 6, false);
  EXPECT_EQ(timeline.makespan, 1_s + 6 * 5_s);
  // Iteration 5 of the reader follows iteration 3 of the user, which ends at 21 s.
  EXPECT_EQ(timeline.task(reader).ready, 21_s);
  EXPECT_EQ(timeline.task(reader).last_dependency, user);
  EXPECT_EQ(timeline.task(reader).dependency_lag, 2U);
}

TEST(Iterations, LatencyDelaysDependentsButNotTheTaskItself) {
  TaskGraph graph;
  const TaskId a = graph.add({2_s, std::nullopt, 0, 0, 1, 7_s});
  const TaskId b = graph.add(lasting(1_s));
  graph.depend(a, b);
  const Timeline timeline = run(graph, 3, false);
  EXPECT_EQ(timeline.task(a).flow_end, 6_s);
  EXPECT_EQ(timeline.task(a).end, 13_s);
  EXPECT_EQ(timeline.task(b).ready, 13_s);
}

TEST(Iterations, RepetitionsAreSkippedAndAddUp) {
  TaskGraph graph;
  const TaskId a = graph.add(lasting(2_s));
  graph.depend(graph.add(lasting(3_s)), a, 1);
  graph.depend(a, TaskId{1});
  const std::uint64_t iterations = 1'000'000;
  const Timeline timeline = run(graph, iterations, true);
  EXPECT_LT(timeline.iterations, 20U);
  EXPECT_EQ(timeline.iterations + timeline.repeat.count * timeline.repeat.iterations, iterations);
  EXPECT_EQ(timeline.makespan.count() +
                static_cast<std::int64_t>(timeline.repeat.count) * timeline.repeat.time.count(),
            (5_s * 1'000'000).count());
}

TEST(Iterations, AFutureCapacityChangeIsNotSkipped) {
  Network network;
  network.routes.add({{network.resources.add(10)}});
  network.capacity_changes = {{95_s, ResourceId{0}, 5}};
  TaskGraph graph;
  graph.add({0_s, FlowWork{RouteId{0}, 10, std::nullopt, 1}, 0, 0, 1, 0_s});
  const Timeline timeline = run(graph, 1000, true, network);
  EXPECT_EQ(timeline.makespan.count() +
                static_cast<std::int64_t>(timeline.repeat.count) * timeline.repeat.time.count(),
            (95_s + 905 * 2_s).count());
}

TEST(Iterations, ARunWithoutAPeriodicStateStopsAtTheGivenIteration) {
  TaskGraph graph;
  graph.add(lasting(1_s));
  RunOptions options;
  options.iterations = 1000;
  options.most_iterations = 10;
  options.vary_delay = [](TaskId, std::uint64_t i, SimTime delay) {
    return delay * static_cast<std::int64_t>(i + 1);
  };
  const Timeline timeline = simulate(graph, {}, options);
  EXPECT_EQ(timeline.iterations, 11U);
  EXPECT_EQ(timeline.makespan, 66_s) << "1 + 2 + ... + 11";
}

/// A random graph with lagged dependencies from every last task back to every first one.
TaskGraph cyclic_graph(const Network& network) {
  TaskGraph graph = random_systems::graph(network, 6);
  const auto last = static_cast<std::uint32_t>(graph.size() - 1);
  for (std::uint32_t i = 0; i < last; ++i) {
    if (*rc::gen::inRange(0, 2) == 0) {
      graph.depend(TaskId{last}, TaskId{i}, *rc::gen::inRange<std::uint16_t>(1, 3));
    }
  }
  return graph;
}

RC_GTEST_PROP(IterationProperties, SkippingRepetitionsChangesNothing, ()) {
  const Network network = random_systems::network(4, false);
  const TaskGraph graph = cyclic_graph(network);
  const auto iterations = *rc::gen::inRange<std::uint64_t>(1, 40);
  const Timeline all = run(graph, iterations, false, network);
  const Timeline some = run(graph, iterations, true, network);
  RC_ASSERT(all.iterations == iterations);
  RC_ASSERT(some.iterations + some.repeat.count * some.repeat.iterations == iterations);
  const SimTime skipped = some.repeat.time * static_cast<std::int64_t>(some.repeat.count);
  RC_ASSERT(all.makespan == some.makespan + skipped);
  RC_ASSERT(all.first_ends == some.first_ends);
  for (std::uint64_t back = 0; back <= std::min(all.earlier.size(), some.earlier.size()); ++back) {
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
      RC_ASSERT(all.find(TaskId{i}, back)->end == some.find(TaskId{i}, back)->end + skipped);
    }
  }
  RC_ASSERT(floor_violation(graph, network, all) == std::nullopt);
}

RC_GTEST_PROP(IterationProperties, ARunThatEndsAtARepeatEqualsTheStartOfTheFullRun, ()) {
  const Network network = random_systems::network(4, false);
  TaskGraph graph = random_systems::graph(network, 6);
  const auto final_task = static_cast<std::uint32_t>(graph.size() - 1);
  for (std::uint32_t i = 0; i < final_task; ++i) {
    graph.depend(TaskId{i}, TaskId{final_task});
    graph.depend(TaskId{final_task}, TaskId{i}, *rc::gen::inRange<std::uint16_t>(1, 4));
  }
  RunOptions options;
  options.iterations = 40;
  options.keep = 3;
  options.end_at_repeat = true;
  const Timeline begun = simulate(graph, network, options);
  RC_ASSERT(floor_violation(graph, network, begun) == std::nullopt);
  options.end_at_repeat = options.find_repeat = false;
  options.keep = options.iterations;
  const Timeline all = simulate(graph, network, options);
  RC_CLASSIFY(begun.repeat.count > 0);
  if (begun.repeat.count == 0) return;
  const auto end_of = [&](TaskId id, std::uint64_t iteration) {
    return all.find(id, options.iterations - 1 - iteration)->end;
  };
  // The farthest that a task can be ahead of the last kept iteration; it is idle at the end of the
  // full run.
  const std::uint64_t ahead = std::uint64_t{graph.longest_lag()} + 2;
  const std::uint64_t last = begun.iterations - 1;
  for (std::uint32_t i = 0; i < graph.size(); ++i) {
    for (std::uint64_t back = 0; back <= begun.earlier.size(); ++back) {
      RC_ASSERT(begun.find(TaskId{i}, back)->end == end_of(TaskId{i}, last - back));
    }
    const std::uint64_t period = begun.repeat.iterations;
    for (std::uint64_t k = last + ahead; k + period + ahead < options.iterations; k += period) {
      const SimTime length = end_of(TaskId{i}, k + period) - end_of(TaskId{i}, k);
      RC_ASSERT(length == begun.repeat.time);
    }
    const bool is_ahead = end_of(TaskId{i}, last + 1) <= begun.makespan;
    if (period <= last && !is_ahead) {
      RC_ASSERT(end_of(TaskId{i}, last) - end_of(TaskId{i}, last - period) == begun.repeat.time);
    }
  }
}

TEST(Iterations, ARunThatEndsAtARepeatStopsAtTheFirstOne) {
  TaskGraph graph;
  const TaskId reader = graph.add(lasting(1_s));
  const TaskId user = graph.add(lasting(5_s));
  graph.depend(reader, user);
  graph.depend(user, reader, 2);
  graph.depend(user, user, 1);
  RunOptions options;
  options.iterations = 1'000'000;
  options.keep = 4;
  options.end_at_repeat = true;
  const Timeline timeline = simulate(graph, {}, options);
  EXPECT_LE(timeline.iterations, 4U);
  EXPECT_EQ(timeline.repeat.time, 5_s);
  EXPECT_EQ(timeline.repeat.count, options.iterations - timeline.iterations);
  EXPECT_EQ(timeline.task(user).end - timeline.find(user, 1)->end, 5_s);
}

/// The same iterations, unrolled.
TaskGraph unrolled(const TaskGraph& graph, std::uint32_t iterations) {
  TaskGraph result;
  const auto tasks = static_cast<std::uint32_t>(graph.size());
  for (std::uint32_t i = 0; i < iterations; ++i) {
    for (std::uint32_t t = 0; t < tasks; ++t) result.add(graph.task(TaskId{t}));
  }
  for (std::uint32_t i = 0; i < iterations; ++i) {
    for (std::uint32_t t = 0; t < tasks && i > 0; ++t) {
      result.depend(TaskId{(i - 1) * tasks + t}, TaskId{i * tasks + t});
    }
    for (const Edge& e : graph.edges()) {
      if (i < e.lag) continue;
      result.depend(TaskId{(i - e.lag) * tasks + static_cast<std::uint32_t>(e.before)},
                    TaskId{i * tasks + static_cast<std::uint32_t>(e.after)});
    }
  }
  return result;
}

RC_GTEST_PROP(IterationProperties, EqualTheUnrolledGraph, ()) {
  const Network network = random_systems::network(4, false);
  const TaskGraph graph = cyclic_graph(network);
  const auto iterations = *rc::gen::inRange<std::uint32_t>(1, 6);
  const Timeline rolled = run(graph, iterations, false, network);
  const Timeline flat = simulate(unrolled(graph, iterations), network);
  RC_ASSERT(rolled.makespan == flat.makespan);
  const std::size_t first = (iterations - 1) * graph.size();
  for (std::size_t i = 0; i < graph.size(); ++i) {
    RC_ASSERT(rolled.tasks[i].ready == flat.tasks[first + i].ready);
    RC_ASSERT(rolled.tasks[i].end == flat.tasks[first + i].end);
  }
}

}  // namespace iterations_test
}  // namespace vgsim
