#include "sim/partition.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <vector>

#include "random_systems.hpp"
#include "sim/symmetry.hpp"

namespace vgsim {
namespace partition_test {

using namespace literals;

Partition partition_of(const TaskGraph& graph, const Network& network) {
  return coarsest_equitable_partition(graph, network, InitialColours(graph, network));
}

/// A route with two flows over one resource, and a route with one flow over two equal resources. If
/// their words are concatenated without lengths, crossings and users of both are equal.
struct TwoRoutes {
  Network network;
  TaskGraph graph;
  TaskId shares{}, alone{};

  TwoRoutes() {
    const ResourceId first = network.resources.add(10);
    const ResourceId second = network.resources.add(10);
    const ResourceId third = network.resources.add(10);
    const RouteId other = network.routes.add({{network.resources.add(1), 7}});
    const RouteId one = network.routes.add({{first, 1}});
    const RouteId two = network.routes.add({{second, 1}, {third, 1}});
    const auto flow = [&](RouteId route, std::int64_t amount) {
      return graph.add({0_s, FlowWork{route, amount, std::nullopt, 1}, 0, 0, 1, 0_s});
    };
    flow(other, 1);
    graph.add({1_s, std::nullopt, 0, 0, 1, 0_s});
    flow(one, 20);
    shares = flow(one, 10);
    alone = flow(two, 10);
  }
};

TEST(Partition, DistinguishesManyCrossingsFromManyUsers) {
  const TwoRoutes system;
  const Partition partition = partition_of(system.graph, system.network);
  EXPECT_NE(partition.task_class[static_cast<std::size_t>(system.shares)],
            partition.task_class[static_cast<std::size_t>(system.alone)]);
}

TEST(Partition, FlowsThatShareTakeLongerThanThoseAlone) {
  // 10 at half of 10 per second, and at all of it.
  const TwoRoutes system;
  const Timeline timeline = simulate_by_classes(system.graph, system.network);
  EXPECT_EQ(timeline.find(system.shares, 0)->end, 2_s);
  EXPECT_EQ(timeline.find(system.alone, 0)->end, 1_s);
}

/// Two chains of tasks whose last tasks are long and may differ in length.
TaskGraph chains(std::uint32_t length, bool differ) {
  TaskGraph graph;
  for (std::uint32_t chain = 0; chain < 2; ++chain) {
    for (std::uint32_t i = 0; i < length; ++i) {
      const bool longer = i + 1 == length && chain == 1 && differ;
      const TaskId task = graph.add({longer ? 2_s : 1_s, std::nullopt, 0, 0, 1, 0_s});
      if (i > 0) graph.depend(TaskId{static_cast<std::uint32_t>(task) - 1}, task);
    }
  }
  return graph;
}

TEST(Partition, ADifferencePropagatesAlongAWholeChain) {
  EXPECT_EQ(partition_of(chains(50, false), {}).task_classes, 50U);
  EXPECT_EQ(partition_of(chains(50, true), {}).task_classes, 100U);
}

/// The textbook algorithm: every round recolours all tasks, routes and resources.
struct Naive {
  std::vector<std::size_t> tasks, resources;

  template <class Signature>
  static std::size_t numbered(std::vector<Signature> signatures,
                              std::vector<std::size_t>& colours) {
    std::map<Signature, std::size_t> numbers;
    for (std::size_t i = 0; i < signatures.size(); ++i) {
      colours[i] = numbers.try_emplace(std::move(signatures[i]), numbers.size()).first->second;
    }
    return numbers.size();
  }

  Naive(const TaskGraph& graph, const Network& network)
      : tasks(graph.size()), resources(network.resources.size()) {
    using Seen = std::vector<std::tuple<int, std::size_t, std::int64_t>>;  // kind, colour, label
    std::vector<std::size_t> routes(network.routes.size());
    using Alone = std::tuple<SimTime, std::uint32_t, std::optional<Ratio>, std::optional<Ratio>,
                             std::int64_t>;
    std::vector<Alone> of_tasks;
    std::vector<Ratio> of_resources;
    for (std::uint32_t i = 0; i < tasks.size(); ++i) {
      const Task task = graph.task(TaskId{i});
      const auto flow = task.flow.value_or(FlowWork{});
      of_tasks.emplace_back(task.delay, task.category,
                            task.flow ? std::optional(flow.amount) : std::nullopt, flow.rate_cap,
                            flow.weight);
    }
    for (std::uint32_t r = 0; r < resources.size(); ++r) {
      of_resources.push_back(network.resources.capacity(ResourceId{r}));
    }
    std::size_t colours = numbered(of_tasks, tasks) + numbered(of_resources, resources) + 1;
    for (std::size_t before = 0; before != colours;) {
      before = colours;
      std::vector<Seen> by_task(tasks.size()), by_route(routes.size()),
          by_resource(resources.size());
      for (std::size_t i = 0; i < tasks.size(); ++i) by_task[i] = {{0, tasks[i], 0}};
      for (std::size_t r = 0; r < routes.size(); ++r) by_route[r] = {{0, routes[r], 0}};
      for (std::size_t r = 0; r < resources.size(); ++r) by_resource[r] = {{0, resources[r], 0}};
      for (const Edge& edge : graph.edges()) {
        by_task[index(edge.before)].emplace_back(1, tasks[index(edge.after)], edge.lag);
        by_task[index(edge.after)].emplace_back(2, tasks[index(edge.before)], edge.lag);
      }
      std::vector<bool> used(routes.size(), false);
      for (std::uint32_t i = 0; i < tasks.size(); ++i) {
        const FlowWork* flow = graph.flow(TaskId{i});
        if (flow == nullptr) continue;
        const auto route = static_cast<std::size_t>(flow->route);
        used[route] = true;
        by_task[i].emplace_back(3, routes[route], 0);
        by_route[route].emplace_back(3, tasks[i], 0);
      }
      for (std::uint32_t r = 0; r < routes.size(); ++r) {
        for (const Crossing& c : network.routes.crossings(RouteId{r})) {
          if (!used[r]) continue;
          const auto resource = static_cast<std::size_t>(c.resource);
          by_route[r].emplace_back(4, resources[resource], c.coefficient);
          by_resource[resource].emplace_back(4, routes[r], c.coefficient);
        }
      }
      for (auto* all : {&by_task, &by_route, &by_resource}) {
        for (Seen& seen : *all) std::sort(seen.begin() + 1, seen.end());
      }
      colours = numbered(by_task, tasks) + numbered(by_resource, resources);
      colours += numbered(by_route, routes);
    }
  }
};

/// Whether two numberings define the same classes.
template <class One, class Other>
bool same_classes(const std::vector<One>& one, const std::vector<Other>& other) {
  std::map<One, Other> there;
  std::map<Other, One> back;
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (there.try_emplace(one[i], other[i]).first->second != other[i]) return false;
    if (back.try_emplace(other[i], one[i]).first->second != one[i]) return false;
  }
  return one.size() == other.size();
}

RC_GTEST_PROP(Partition, EqualsTheTextbookColourRefinement, ()) {
  const Network network = random_systems::network(4, false);
  const TaskGraph graph = random_systems::graph(network, 12);
  const Partition partition = partition_of(graph, network);
  const Naive naive(graph, network);
  RC_ASSERT(same_classes(partition.task_class, naive.tasks));
  RC_ASSERT(same_classes(partition.resource_class, naive.resources));
}

}  // namespace partition_test
}  // namespace vgsim
