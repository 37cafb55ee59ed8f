#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "models/collectives/lowering.hpp"
#include "sim/engine.hpp"
#include "tests/support/ring_cluster.hpp"

namespace vgsim::collectives {
namespace ring_test {

using namespace literals;
using test::RingCluster;
using test::RingHost;

SimTime reduce(const RingCluster& cluster, Bytes size, const StepCosts& costs,
               Fidelity fidelity = Fidelity::kFluid) {
  PlacedNetwork placed = cluster.network();
  Lowering lowering(cluster.ranks(), costs, placed, fidelity);
  TaskGraph graph;
  static_cast<void>(lowering.add(graph, Collective::kAllReduce, size, {}));
  return simulate(graph, placed.network()).makespan;
}

/// A fixed cost of each step with protocol Simple over the network, and over other transports.
StepCosts steps_of(SimTime network, SimTime inside = SimTime{0}) {
  StepCosts costs;
  for (std::size_t t = 0; t < kTransports; ++t) {
    const bool outside = static_cast<Transport>(t) >= Transport::kNetwork;
    costs.step[t][static_cast<std::size_t>(nccl::Protocol::kSimple)] = outside ? network : inside;
  }
  return costs;
}

/// A ring of ranks, each on a separate host.
std::unique_ptr<RingCluster> equal_ring(std::size_t ranks, BytesPerSecond rate) {
  return std::make_unique<RingCluster>(std::vector<RingHost>{RingHost{rate, rate}},
                                       std::vector<std::size_t>(ranks, 0));
}

TEST(RingAllReduceTest, EqualHopsGiveTheClosedForm) {
  // 2 (N - 1) (L + S / (N B)) for every N.
  for (std::int64_t n = 2; n <= 128; n *= 2) {
    const auto ring = equal_ring(static_cast<std::size_t>(n), 10_GBps);
    const StepCosts latencies = steps_of(3_us);
    const SimTime expected{2 * (n - 1) * (3'000'000 + 1'000'000'000'000 / (n * 10))};
    for (const Fidelity fidelity : {Fidelity::kFluid, Fidelity::kChunk}) {
      const SimTime time = reduce(*ring, 1_GB, latencies, fidelity);
      EXPECT_GE(time, expected - SimTime{2 * n});
      EXPECT_LE(time, expected + SimTime{2 * n});
    }
  }
}

TEST(RingAllReduceTest, TheSlowestEdgeSetsTheRate) {
  const auto ring =
      test::ring_over({10'000'000'000, 10'000'000'000, 2'000'000'000, 10'000'000'000});
  EXPECT_EQ(reduce(*ring, 1_GB, {}), SimTime{1'500'000'000'000 / 2}) << "1.5 x 1 GB over 2 GB/s";
}

TEST(RingAllReduceTest, EveryEdgeCarriesTwiceNMinusOneOverNOfTheBuffer) {
  const auto ring = equal_ring(5, 1_GBps);
  for (const Fidelity fidelity : {Fidelity::kFluid, Fidelity::kChunk}) {
    PlacedNetwork placed = ring->network();
    Lowering lowering(ring->ranks(), {}, placed, fidelity);
    TaskGraph graph;
    static_cast<void>(lowering.add(graph, Collective::kAllReduce, 1_GB, {}));
    const Timeline timeline = simulate(graph, placed.network());
    EXPECT_EQ(timeline.carried.size(), 10U) << "five ports, two directions";
    for (const Ratio& carried : timeline.carried) {
      EXPECT_EQ(carried, Ratio(1'000'000'000) * 8 / 5);
    }
  }
}

TEST(RingAllReduceTest, ASingleRankHasNothingToReduce) {
  const auto alone = equal_ring(1, 1_GBps);
  EXPECT_EQ(alone->ranks().ranks(), 1U);
  EXPECT_EQ(reduce(*alone, 1_GB, steps_of(9_us, 9_us)), 0_ps);
}

TEST(RankGroupTest, ARingLeadsThroughEveryRankOnce) {
  const RingHost four{10_GBps, 10_GBps, 2, 4, 50_GBps};
  const RingHost one{10_GBps, 10_GBps, 2};
  const RingCluster cluster({four, one}, {0, 1, 0});
  ASSERT_EQ(cluster.ranks().ranks(), 9U);
  std::vector<std::size_t> from_hosts;
  std::size_t here = 0;
  for (const Leg& leg : cluster.legs()) {
    EXPECT_EQ(leg.from_host, here) << "the end of the previous leg";
    here = leg.to_host;
    from_hosts.push_back(leg.from_host);
    EXPECT_EQ(leg.from_host != leg.to_host, leg.transport == Transport::kNetwork);
  }
  EXPECT_EQ(here, 0U);
  EXPECT_EQ(std::count(from_hosts.begin(), from_hosts.end(), 0U), 4);
  EXPECT_EQ(std::count(from_hosts.begin(), from_hosts.end(), 1U), 1);
  EXPECT_EQ(std::count(from_hosts.begin(), from_hosts.end(), 2U), 4);
}

TEST(RankGroupTest, MachinesThatNoNetworkJoinsAreRefused) {
  const RingHost without{1_GBps, 1_GBps, 0};
  EXPECT_THROW(RingCluster({without}, {0, 0}), NotConnected);
  topology::Fabric::Plan rails;
  rails.rails = true;
  rails.hosts_per_leaf = 1;
  EXPECT_THROW(RingCluster({RingHost{1_GBps, 1_GBps}}, {0, 0}, rails), NotConnected)
      << "leaves without a spine";
}

TEST(ChunksTest, NeedANetworkThatIsSpreadOut) {
  const auto ring = equal_ring(3, 1_GBps);
  PlacedNetwork folded = ring->network(test::Aggregation::kBySymmetry);
  EXPECT_THROW(Lowering(ring->ranks(), {}, folded, Fidelity::kChunk), std::invalid_argument);
}

RC_GTEST_PROP(ChunksTest, EqualHopsGiveTheClosedFormExactly, ()) {
  // 2 (N - 1) (L + S / (N B)), where a chunk of S / N takes whole nanoseconds.
  const auto n = *rc::gen::inRange<std::int64_t>(2, 33);
  const auto rate = *rc::gen::inRange<std::int64_t>(1, 1000);
  const auto chunk_ns = *rc::gen::inRange<std::int64_t>(0, 1'000'000);
  const SimTime network{*rc::gen::inRange<std::int64_t>(0, 20'000'000)};
  StepCosts latencies = steps_of(network);
  latencies.launch.fill(SimTime{*rc::gen::inRange<std::int64_t>(0, 10'000'000)});
  const auto ring = equal_ring(static_cast<std::size_t>(n), rate * 1_GBps);
  const Bytes size{n * rate * chunk_ns};
  const SimTime step = network + SimTime{chunk_ns * 1'000};
  const SimTime expected = latencies.launch[0] + 2 * (n - 1) * step;
  RC_ASSERT(reduce(*ring, size, latencies, Fidelity::kFluid) == expected);
  RC_ASSERT(reduce(*ring, size, latencies, Fidelity::kChunk) == expected);
}

RC_GTEST_PROP(ChunksTest, EqualHopsOfAnySizeGiveTheClosedFormInTicks, ()) {
  // Each step of a chunk ends at the next picosecond; the fluid does so once.
  const auto n = *rc::gen::inRange<std::int64_t>(2, 33);
  const auto rate = *rc::gen::inRange<std::int64_t>(1, 1'000'000'000'000);
  const Bytes size{*rc::gen::inRange<std::int64_t>(1, 1'000'000'000)};
  const SimTime network{*rc::gen::inRange<std::int64_t>(0, 20'000'000)};
  const StepCosts latencies = steps_of(network);
  const auto ring = equal_ring(static_cast<std::size_t>(n), BytesPerSecond{rate});
  const std::int64_t steps = 2 * (n - 1);
  const Ratio chunk = Ratio(size.count()) / n;
  RC_ASSERT(reduce(*ring, size, latencies, Fidelity::kFluid) ==
            network * steps + duration_of(chunk * steps, Ratio(rate)));
  RC_ASSERT(reduce(*ring, size, latencies, Fidelity::kChunk) ==
            (network + duration_of(chunk, Ratio(rate))) * steps);
}

/// Hosts of several kinds on several leaves: hops over NVLink, PCIe and the network, inside a leaf
/// and between leaves, at different rates.
std::unique_ptr<RingCluster> mixed_ring() {
  const auto rate = [] {
    return BytesPerSecond{*rc::gen::inRange<std::int64_t>(1, 400) * 1'000'000'000};
  };
  std::vector<RingHost> kinds;
  const auto kind_count = *rc::gen::inRange<std::size_t>(1, 4);
  for (std::size_t k = 0; k < kind_count; ++k) {
    kinds.push_back({rate(), rate(), 1, *rc::gen::inRange<std::size_t>(1, 5), rate(),
                     *rc::gen::arbitrary<bool>()});
  }
  std::vector<std::size_t> kind_of_host(*rc::gen::inRange<std::size_t>(2, 8));
  for (std::size_t& kind : kind_of_host) kind = *rc::gen::inRange<std::size_t>(0, kind_count);
  topology::Fabric::Plan plan;
  plan.leaves = *rc::gen::inRange<std::size_t>(1, 4);
  plan.spines = kind_of_host.size();  // each port has its own downlink
  plan.uplink = 10'000_GBps;
  plan.switch_latency = SimTime{*rc::gen::inRange<std::int64_t>(0, 3'000'000)};
  return std::make_unique<RingCluster>(kinds, kind_of_host, plan);
}

RC_GTEST_PROP(ChunksTest, HopsOfUnequalRatesTakeAsLongAsTheFluid, ()) {
  const auto ring = mixed_ring();
  const auto time = [](std::int64_t most) {
    return SimTime{*rc::gen::inRange<std::int64_t>(0, most)};
  };
  const SimTime inside = time(3'000'000);
  StepCosts latencies = steps_of(time(20'000'000), inside);
  latencies.launch.fill(time(10'000'000));
  const Bytes size{*rc::gen::inRange<std::int64_t>(1, 1'000'000'000)};

  const Ratio chunk = Ratio(size.count()) / static_cast<std::int64_t>(ring->ranks().ranks());
  std::vector<SimTime> latency;
  Ratio slowest(1'000'000'000'000);
  for (const Leg& leg : ring->legs()) {
    latency.push_back(
        step_latency(leg, nccl::Protocol::kSimple, ring->ranks().generation(), latencies));
    slowest = std::min(slowest, ring->rate(leg));
  }
  SimTime round{};
  SimTime fastest_pair = latency.front() + latency.back();
  for (std::size_t i = 0; i < latency.size(); ++i) {
    round += latency[i];
    if (i > 0) fastest_pair = std::min(fastest_pair, latency[i - 1] + latency[i]);
  }
  const SimTime longest_way = round * 2 - fastest_pair;
  const auto steps = static_cast<std::int64_t>(2 * (latency.size() - 1));

  const SimTime fluid = reduce(*ring, size, latencies, Fidelity::kFluid);
  const SimTime chunks = reduce(*ring, size, latencies, Fidelity::kChunk);
  RC_ASSERT(fluid == latencies.launch[0] + longest_way + duration_of(chunk * steps, slowest));
  RC_ASSERT(chunks >= fluid);
  RC_ASSERT(chunks - fluid <= SimTime{steps});  // each step of a chunk ends at the next picosecond
}

}  // namespace ring_test
}  // namespace vgsim::collectives
