#include "sim/partition.hpp"

#include <gtest/gtest.h>

#include "sim/symmetry.hpp"

namespace vgsim {
namespace partition_test {

using namespace literals;

/// A route over one resource with two flows, and one over two like it with one flow: written one
/// after the other, crossings and users of both can read alike.
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

TEST(Partition, TellsManyCrossingsFromManyUsers) {
  const TwoRoutes system;
  const Partition partition = coarsest_equitable_partition(system.graph, system.network);
  EXPECT_NE(partition.task_class[static_cast<std::size_t>(system.shares)],
            partition.task_class[static_cast<std::size_t>(system.alone)]);
}

TEST(Partition, FlowsThatShareTakeLongerThanThoseAlone) {
  // 10 over half of 10 a second, and over all of it.
  const TwoRoutes system;
  const Timeline timeline = simulate_by_classes(system.graph, system.network);
  EXPECT_EQ(timeline.find(system.shares, 0)->end, 2_s);
  EXPECT_EQ(timeline.find(system.alone, 0)->end, 1_s);
}

}  // namespace partition_test
}  // namespace vgsim
