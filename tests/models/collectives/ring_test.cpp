#include "models/collectives/ring.hpp"

#include <gtest/gtest.h>

#include "sim/engine.hpp"

namespace vgsim::collectives {
namespace {

using namespace literals;

/// N ranks in a ring over links of their own.
struct Ring {
  Network network;
  RingPlan plan;

  explicit Ring(const std::vector<std::int64_t>& rates) {
    plan.channels.emplace_back();
    for (std::size_t i = 0; i < rates.size(); ++i) {
      plan.ranks.push_back({i, 0});
      const ResourceId link = network.resources.add(Exact(rates[i]));
      plan.channels[0].order.push_back(i);
      plan.channels[0].hops.push_back({Transport::kNetwork, {{link, 1}}, {}, false});
    }
  }

  SimTime reduce(Bytes size, const StepLatencies& latencies) {
    const RingAllReduce all_reduce(plan, latencies, network.routes);
    TaskGraph graph;
    static_cast<void>(all_reduce.add(graph, size, {}));
    return simulate(graph, network).makespan;
  }
};

TEST(RingAllReduceTest, EqualHopsGiveTheClosedForm) {
  // 2 (N - 1) (L + S / (N B)) for every N.
  for (std::int64_t n = 2; n <= 128; n *= 2) {
    Ring ring(std::vector<std::int64_t>(static_cast<std::size_t>(n), 10'000'000'000));
    StepLatencies latencies;
    latencies.network = 3_us;
    const SimTime expected{2 * (n - 1) * (3'000'000 + 1'000'000'000'000 / (n * 10))};
    const SimTime time = ring.reduce(1_GB, latencies);
    EXPECT_GE(time, expected - SimTime{2 * n});
    EXPECT_LE(time, expected + SimTime{2 * n});
  }
}

TEST(RingAllReduceTest, TheSlowestEdgeSetsTheRate) {
  Ring ring({10'000'000'000, 10'000'000'000, 2'000'000'000, 10'000'000'000});
  EXPECT_EQ(ring.reduce(1_GB, {}), SimTime{1'500'000'000'000 / 2}) << "1.5 x 1 GB over 2 GB/s";
}

TEST(RingAllReduceTest, EveryEdgeCarriesTwiceNMinusOneOverNOfTheBuffer) {
  Ring ring(std::vector<std::int64_t>(5, 1'000'000'000));
  const RingAllReduce all_reduce(ring.plan, {}, ring.network.routes);
  TaskGraph graph;
  static_cast<void>(all_reduce.add(graph, 1_GB, {}));
  for (const Exact& carried : simulate(graph, ring.network).carried) {
    EXPECT_EQ(carried, Exact(1'000'000'000) * 8 / 5);
  }
}

TEST(RingAllReduceTest, ASingleRankHasNothingToReduce) {
  RingPlan plan;
  plan.ranks = {{0, 0}};
  Network network;
  const RingAllReduce all_reduce(plan, {9_us, 9_us, 9_us, 9_us, 9_us}, network.routes);
  TaskGraph graph;
  static_cast<void>(all_reduce.add(graph, 1_GB, {}));
  EXPECT_EQ(simulate(graph, network).makespan, 0_ps);
}

}  // namespace
}  // namespace vgsim::collectives
