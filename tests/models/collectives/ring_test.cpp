#include "models/collectives/ring.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/engine.hpp"
#include "tests/support/ring_cluster.hpp"

namespace vgsim::collectives {
namespace {

using namespace literals;
using test::RingCluster;
using test::RingHost;

SimTime reduce(const RingCluster& cluster, Bytes size, const StepLatencies& latencies,
               Fidelity fidelity = Fidelity::kFluid) {
  PlacedNetwork placed = cluster.network();
  const RingAllReduce all_reduce(cluster.plan(), latencies, placed, fidelity);
  TaskGraph graph;
  static_cast<void>(all_reduce.add(graph, size, {}));
  return simulate(graph, placed.network()).makespan;
}

/// As many ranks in a ring, each with so many ports at the same rate: a channel for each port.
std::unique_ptr<RingCluster> equal_ring(std::size_t ranks, BytesPerSecond rate,
                                        std::size_t channels = 1) {
  const RingHost host{rate, rate, channels};
  return std::make_unique<RingCluster>(std::vector<RingHost>{host},
                                       std::vector<std::size_t>(ranks, 0), topology::Fabric::Plan{},
                                       channels);
}

TEST(RingAllReduceTest, EqualHopsGiveTheClosedForm) {
  // 2 (N - 1) (L + S / (N B)) for every N.
  for (std::int64_t n = 2; n <= 128; n *= 2) {
    const auto ring = equal_ring(static_cast<std::size_t>(n), 10_GBps);
    StepLatencies latencies;
    latencies.network = 3_us;
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
    const RingAllReduce all_reduce(ring->plan(), {}, placed, fidelity);
    TaskGraph graph;
    static_cast<void>(all_reduce.add(graph, 1_GB, {}));
    const Timeline timeline = simulate(graph, placed.network());
    EXPECT_EQ(timeline.carried.size(), 10U) << "five ports, two directions";
    for (const Exact& carried : timeline.carried) {
      EXPECT_EQ(carried, Exact(1'000'000'000) * 8 / 5);
    }
  }
}

TEST(RingAllReduceTest, ASingleRankHasNothingToReduce) {
  const auto alone = equal_ring(1, 1_GBps);
  EXPECT_EQ(alone->plan().ranks(), 1U);
  EXPECT_EQ(alone->plan().channels(), 0U);
  EXPECT_EQ(reduce(*alone, 1_GB, {9_us, 9_us, 9_us, 9_us, 9_us}), 0_ps);
}

TEST(RingPlanTest, ARingLeadsThroughEveryRankOnce) {
  const RingHost four{10_GBps, 10_GBps, 2, 4, 50_GBps};
  const RingHost one{10_GBps, 10_GBps, 2};
  const RingCluster cluster({four, one}, {0, 1, 0}, {}, 2);
  ASSERT_EQ(cluster.plan().ranks(), 9U);
  ASSERT_EQ(cluster.plan().channels(), 2U);
  for (std::size_t channel = 0; channel < 2; ++channel) {
    std::vector<std::size_t> from_hosts;
    std::size_t here = 0;
    cluster.plan().each_hop(channel, [&](const RingHop& hop) {
      EXPECT_EQ(hop.from_host, here) << "where the hop before it ended";
      here = hop.to_host;
      from_hosts.push_back(hop.from_host);
      EXPECT_EQ(hop.from_host != hop.to_host, hop.transport == Transport::kNetwork);
    });
    EXPECT_EQ(here, 0U);
    EXPECT_EQ(from_hosts, (std::vector<std::size_t>{0, 0, 0, 0, 1, 2, 2, 2, 2}));
  }
}

TEST(RingPlanTest, MachinesThatNoNetworkJoinsAreRefused) {
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
  PlacedNetwork folded = ring->network(PlacedNetwork::Form::folded);
  EXPECT_THROW(RingAllReduce(ring->plan(), {}, folded, Fidelity::kChunk), std::invalid_argument);
}

RC_GTEST_PROP(ChunksTest, EqualHopsGiveTheClosedFormExactly, ()) {
  // 2 (N - 1) (L + S / (C N B)), where a chunk of S / (C N) takes whole nanoseconds.
  const auto n = *rc::gen::inRange<std::int64_t>(2, 33);
  const auto channels = *rc::gen::inRange<std::int64_t>(1, 4);
  const auto rate = *rc::gen::inRange<std::int64_t>(1, 1000);
  const auto chunk_ns = *rc::gen::inRange<std::int64_t>(0, 1'000'000);
  StepLatencies latencies;
  latencies.launch = SimTime{*rc::gen::inRange<std::int64_t>(0, 10'000'000)};
  latencies.network = SimTime{*rc::gen::inRange<std::int64_t>(0, 20'000'000)};
  const auto ring =
      equal_ring(static_cast<std::size_t>(n), rate * 1_GBps, static_cast<std::size_t>(channels));
  RC_ASSERT(ring->plan().channels() == static_cast<std::size_t>(channels));
  const Bytes size{channels * n * rate * chunk_ns};
  const SimTime step = latencies.network + SimTime{chunk_ns * 1'000};
  const SimTime expected = latencies.launch + 2 * (n - 1) * step;
  RC_ASSERT(reduce(*ring, size, latencies, Fidelity::kFluid) == expected);
  RC_ASSERT(reduce(*ring, size, latencies, Fidelity::kChunk) == expected);
}

RC_GTEST_PROP(ChunksTest, EqualHopsOfAnySizeGiveTheClosedFormInTicks, ()) {
  // Each step of a chunk ends at the next picosecond; the fluid does so once.
  const auto n = *rc::gen::inRange<std::int64_t>(2, 33);
  const auto rate = *rc::gen::inRange<std::int64_t>(1, 1'000'000'000'000);
  const Bytes size{*rc::gen::inRange<std::int64_t>(1, 1'000'000'000)};
  StepLatencies latencies;
  latencies.network = SimTime{*rc::gen::inRange<std::int64_t>(0, 20'000'000)};
  const auto ring = equal_ring(static_cast<std::size_t>(n), BytesPerSecond{rate});
  const std::int64_t steps = 2 * (n - 1);
  const Exact chunk = Exact(size.count()) / n;
  RC_ASSERT(reduce(*ring, size, latencies, Fidelity::kFluid) ==
            latencies.network * steps + duration_of(chunk * steps, Exact(rate)));
  RC_ASSERT(reduce(*ring, size, latencies, Fidelity::kChunk) ==
            (latencies.network + duration_of(chunk, Exact(rate))) * steps);
}

/// Hosts of several kinds on several leaves: hops over NVLink, over PCIe and over the network,
/// inside a leaf and between leaves, at rates of their own.
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
  plan.spines = kind_of_host.size();  // each port's way down is its own
  plan.uplink = 10'000_GBps;
  plan.switch_latency = SimTime{*rc::gen::inRange<std::int64_t>(0, 3'000'000)};
  return std::make_unique<RingCluster>(kinds, kind_of_host, plan);
}

RC_GTEST_PROP(ChunksTest, RunAheadOfTheFluidByNoMoreThanTheFillOfTheRing, ()) {
  const auto ring = mixed_ring();
  RC_PRE(ring->plan().channels() == 1U);
  const auto time = [](std::int64_t most) {
    return SimTime{*rc::gen::inRange<std::int64_t>(0, most)};
  };
  const StepLatencies latencies{time(10'000'000), time(3'000'000), time(3'000'000), time(3'000'000),
                                time(20'000'000)};
  const Bytes size{*rc::gen::inRange<std::int64_t>(1, 1'000'000'000)};

  const Exact chunk = Exact(size.count()) / static_cast<std::int64_t>(ring->plan().ranks());
  std::vector<SimTime> latency;
  SimTime one_chunk_on_all{};
  Exact slowest(1'000'000'000'000);
  ring->plan().each_hop(0, [&](const RingHop& hop) {
    latency.push_back(latencies.of(hop));
    one_chunk_on_all += duration_of(chunk, ring->rate(hop));
    slowest = std::min(slowest, ring->rate(hop));
  });
  SimTime round{};
  SimTime fastest_pair = latency.front() + latency.back();
  for (std::size_t i = 0; i < latency.size(); ++i) {
    round += latency[i];
    if (i > 0) fastest_pair = std::min(fastest_pair, latency[i - 1] + latency[i]);
  }
  const SimTime fill = round * 2 - fastest_pair;
  const auto steps = static_cast<std::int64_t>(2 * (latency.size() - 1));

  const SimTime fluid = reduce(*ring, size, latencies, Fidelity::kFluid);
  const SimTime chunks = reduce(*ring, size, latencies, Fidelity::kChunk);
  RC_ASSERT(fluid == latencies.launch + fill + duration_of(chunk * steps, slowest));
  RC_ASSERT(chunks - fluid <= SimTime{steps});  // each step of a chunk ends at the next picosecond
  RC_ASSERT(fluid - chunks <= fill + one_chunk_on_all);
  RC_ASSERT(chunks >= latencies.launch + duration_of(chunk * steps, slowest));
}

}  // namespace
}  // namespace vgsim::collectives
