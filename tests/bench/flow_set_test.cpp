#include "tests/bench/flow_set.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>

#include "tests/bench/fat_tree.hpp"
#include "tests/bench/flow_file.hpp"
#include "tests/bench/ring.hpp"
#include "tests/support/scratch.hpp"

namespace vgsim::bench {
namespace flow_set_test {

// Of the other hosts 7 are two links away, 56 four and 960 six.
TEST(FatTree, IsAsWideAsItsFormulaSays) {
  for (const std::uint32_t from : {0U, 77U, 1023U}) {
    std::size_t sum = 0;
    for (std::uint32_t to = 0; to < kFatTreeHosts; ++to) {
      if (to != from) sum += fat_tree_route(from, to).size();
    }
    EXPECT_EQ(sum, 7U * 2 + 56U * 4 + 960U * 6);
  }
}

TEST(FatTree, CarriesAShiftWithoutSharingALink) {
  for (const std::uint32_t shift : {1U, 8U, 64U, 500U}) {
    std::set<std::uint32_t> used;
    std::size_t crossings = 0;
    for (std::uint32_t from = 0; from < kFatTreeHosts; ++from) {
      for (const std::uint32_t link : fat_tree_route(from, (from + shift) % kFatTreeHosts)) {
        EXPECT_LT(link, kFatTreeLinks);
        used.insert(link);
        ++crossings;
      }
    }
    EXPECT_EQ(used.size(), crossings) << "shifted by " << shift;
  }
}

TEST(RandomFlows, AreLikeThoseOfTheOracle) {
  const FlowSet set = random_flows(10'000, 10'000'000, 1);
  double links = 0;
  double mebibytes = 0;
  for (const Flow& flow : set.flows) {
    EXPECT_NE(flow.from, flow.to);
    EXPECT_LT(flow.start_ns, 10'000'000);
    links += static_cast<double>(flow.links.size()) / 10'000;
    mebibytes += static_cast<double>(flow.bytes) / (1 << 20) / 10'000;
  }
  EXPECT_NEAR(links, 5.86, 0.02);
  EXPECT_NEAR(mebibytes, 255 / 5.545, 2) << "the mean of a log-uniform size";
}

TEST(RandomFlows, AreTheSameAfterBeingWrittenAndRead) {
  FlowSet set = random_flows(200, 1'000'000, 3);
  set.flows[7].cap = 12'345'678'901;
  set.flows[9].finish_s = 0.1;
  const test::Scratch scratch;
  const std::string name = scratch.file("flows.csv");
  {
    std::ofstream file(name);
    write_flows(file, set);
  }
  const FlowSet read = read_flow_set(name, std::nullopt);
  EXPECT_EQ(read.flows.at(9).finish_s, 0.1);
  EXPECT_EQ(run(read), run(set));
}

// While k flows are left each gets 1/k, so flow i ends once the rounds 1 to i are through, and
// round j carries n - j + 1 MiB.
TEST(Incast, EndsInTheOrderOfSizes) {
  constexpr std::int64_t kSenders = 20;
  const std::vector<SimTime> ends = run(incast(kSenders));
  std::int64_t mebibytes = 0;
  for (std::int64_t i = 0; i < kSenders; ++i) {
    mebibytes += kSenders - i;
    const SimTime want = duration_of(Ratio(mebibytes << 20), Ratio(kLinkBytesPerSecond));
    const SimTime got = ends[static_cast<std::size_t>(i)] - SimTime{2 * kLinkLatencyNs * 1000};
    EXPECT_LE(std::abs((got - want).count()), 1) << "picoseconds off";
  }
}

TEST(Ring, TakesTheTimeOfItsSteps) {
  for (const RingTasks tasks : {RingTasks::messages, RingTasks::hosts}) {
    const Ring ring = ring_all_reduce(8, 1 << 30, tasks);
    EXPECT_EQ(ring.messages, 2U * 8 * 7);
    EXPECT_EQ(simulate(ring.graph, ring.network).makespan, ring.expected);
    EXPECT_NEAR(to_seconds(ring.expected), 0.03759496384, 1e-11);
  }
}

}  // namespace flow_set_test
}  // namespace vgsim::bench
