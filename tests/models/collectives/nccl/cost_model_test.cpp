#include "models/collectives/nccl/tuning/cost_model.hpp"

#include <gtest/gtest.h>

#include "models/collectives/nccl/tuning/work_split.hpp"
#include "tests/support/scenarios.hpp"

namespace vgsim::collectives::nccl {
namespace cost_model_test {

constexpr std::int64_t kKiB = 1024;
constexpr std::int64_t kMiB = 1024 * kKiB;

Constants version(const char* text) { return constants_of(test::library().nccl, text).value(); }

/// Eight A100 behind an NVSwitch: 12 channels of 20 GB/s.
Communicator hgx_a100() {
  Communicator comm;
  comm.ranks = 8;
  comm.channels = 24;
  comm.nvswitch = true;
  comm.ring = {.channels = 12,
               .speed_intra = 20,
               .speed_inter = 20,
               .type_intra = PathType::kNvl,
               .type_inter = PathType::kPix};
  comm.tree = comm.ring;
  comm.tree.pattern = Pattern::kBalancedTree;
  return comm;
}

/// Four GPUs on root ports of one socket: one ring through host memory.
Communicator flat_vm() {
  Communicator comm;
  comm.ranks = 4;
  comm.channels = 2;
  comm.ring = {.channels = 1,
               .speed_intra = 20,
               .speed_inter = 20,
               .type_intra = PathType::kPhb,
               .type_inter = PathType::kPhb};
  comm.tree = comm.ring;
  comm.tree.pattern = Pattern::kBalancedTree;
  return comm;
}

const Cost& ring(const CostTable& table, Protocol protocol) {
  return table.of(Function::kAllReduce, Algorithm::kRing, protocol);
}

TEST(NcclCostModel, RingLatencyIsTheCallAndEachStep) {
  const CostTable table = cost_table(hgx_a100(), version("newest"));
  EXPECT_DOUBLE_EQ(ring(table, Protocol::kLl).latency_us, 6.6 + 14 * 0.6);
  EXPECT_DOUBLE_EQ(ring(table, Protocol::kLl128).latency_us, 14 + 14 * 1.9);
  EXPECT_DOUBLE_EQ(ring(table, Protocol::kSimple).latency_us, 8.4 + 14 * 3.4);
  const Cost& gather = table.of(Function::kAllGather, Algorithm::kRing, Protocol::kSimple);
  EXPECT_DOUBLE_EQ(gather.latency_us, 8.4 + 7 * 3.4);
}

TEST(NcclCostModel, RingBandwidthIsThatOfItsChannels) {
  const CostTable table = cost_table(hgx_a100(), version("newest"));
  // 240 GB/s of bus bandwidth; a ring of n moves 2 (n - 1) / n bytes for each byte of the buffer.
  EXPECT_DOUBLE_EQ(ring(table, Protocol::kSimple).bandwidth, 240 * 8 / 14.0);
  EXPECT_DOUBLE_EQ(ring(table, Protocol::kLl128).bandwidth, 0.92 * 240 * 8 / 14);
  EXPECT_DOUBLE_EQ(ring(table, Protocol::kLl).bandwidth, 87.7 * 8 / 14);  // the cap of ampere
  EXPECT_DOUBLE_EQ(bus_bandwidth_of(Function::kAllReduce, Bytes{1'000'000'000}, 7291.6667, 8),
                   1e9 / 7291.6667 / 1000 * 14 / 8);
}

TEST(NcclCostModel, SmallCallsTakeLlAndLargeOnesSimple) {
  const Communicator comm = hgx_a100();
  const Constants constants = version("newest");
  const CostTable table = cost_table(comm, constants);
  const auto choice = [&](std::int64_t bytes) {
    return candidates(table, Function::kAllReduce, Bytes{bytes}, comm, constants).at(0);
  };
  EXPECT_EQ(choice(8),
            (Candidate{Algorithm::kRing, Protocol::kLl, 15.0 + 8 / 1000.0 / (87.7 * 8 / 14)}));
  EXPECT_EQ(choice(4 * kMiB).protocol, Protocol::kLl128);
  EXPECT_EQ(choice(1024 * kMiB).protocol, Protocol::kSimple);
}

TEST(NcclCostModel, Ll128NeedsLinksThatKeepItsLinesWhole) {
  EXPECT_EQ(ring(cost_table(flat_vm(), version("newest")), Protocol::kLl128).bandwidth, 0);
  Communicator ada = flat_vm();  // sm89 over a bridge that no such card has; NCCL does not check it
  ada.min_sm = ada.max_sm = 89;
  ada.ring.type_intra = ada.tree.type_intra = PathType::kNvl;
  ada.ring.type_inter = ada.tree.type_inter = PathType::kPix;
  EXPECT_EQ(ring(cost_table(ada, version("2.23.4")), Protocol::kLl128).bandwidth, 0);
  EXPECT_GT(ring(cost_table(ada, version("2.27.7")), Protocol::kLl128).bandwidth, 0);
}

TEST(NcclCostModel, TheEnvironmentNarrowsTheChoice) {
  const Constants constants = version("newest");
  const Communicator comm = flat_vm();
  const auto choice = [&](const AlgorithmFilter& filter) {
    const CostTable table = cost_table(comm, constants, filter);
    return candidates(table, Function::kAllReduce, Bytes{8}, comm, constants).at(0);
  };
  AlgorithmFilter filter;
  ASSERT_TRUE(read_algorithms("^Ring", filter));
  EXPECT_EQ(choice(filter).algorithm, Algorithm::kTree);
  ASSERT_TRUE(read_protocols("simple", filter));
  EXPECT_EQ(choice(filter).protocol, Protocol::kSimple);
  // as set, although PCIe does not preserve its lines
  ASSERT_TRUE(read_protocols("LL128", filter));
  EXPECT_EQ(choice(filter).protocol, Protocol::kLl128);
}

TEST(NcclCostModel, AFilterMayNameFunctions) {
  AlgorithmFilter filter;
  ASSERT_TRUE(read_algorithms("ring;allreduce:^nvls,nvlstree", filter));
  const auto rule = [&](Function function, Algorithm algorithm) {
    return filter
        .algorithms[static_cast<std::size_t>(function)][static_cast<std::size_t>(algorithm)];
  };
  EXPECT_EQ(rule(Function::kBroadcast, Algorithm::kRing), FilterRule::kAllowed);
  EXPECT_EQ(rule(Function::kBroadcast, Algorithm::kTree), FilterRule::kForbidden);
  EXPECT_EQ(rule(Function::kAllReduce, Algorithm::kTree), FilterRule::kAllowed);
  EXPECT_EQ(rule(Function::kAllReduce, Algorithm::kNvls), FilterRule::kForbidden);
  EXPECT_FALSE(read_algorithms("rong", filter));
  EXPECT_FALSE(read_algorithms("allredux:ring", filter));
  EXPECT_FALSE(read_protocols("LL,", filter));
}

TEST(NcclCostModel, AFilterThatLeavesNothingCountsAsNoneBefore224) {
  AlgorithmFilter trees;
  ASSERT_TRUE(read_algorithms("Tree", trees));
  const auto broadcast = [&](const char* release) {
    return cost_table(flat_vm(), version(release), trees)
        .of(Function::kBroadcast, Algorithm::kRing, Protocol::kSimple);
  };
  EXPECT_GT(broadcast("2.18.6").bandwidth, 0);
  EXPECT_EQ(broadcast("2.30.7").bandwidth, 0);
}

TEST(NcclCostModel, OneRankHasNothingToChoose) {
  Communicator comm = flat_vm();
  comm.ranks = 1;
  const Constants constants = version("newest");
  EXPECT_TRUE(
      candidates(cost_table(comm, constants), Function::kAllReduce, Bytes{8}, comm, constants)
          .empty());
}

TEST(NcclWorkSplit, SmallCallsGetFewChannelsAndThreads) {
  const Communicator comm = hgx_a100();
  const Constants constants = version("newest");
  const auto split = [&](Protocol protocol, std::int64_t bytes) {
    return split_work(Function::kAllReduce, Algorithm::kRing, protocol, Bytes{bytes}, comm,
                      constants);
  };
  // A channel of 512 threads needs 64 B (LL: 8 B for each rank) for each thread.
  EXPECT_EQ(split(Protocol::kLl, 8).channels, 1);
  EXPECT_EQ(split(Protocol::kLl, 512 * 64 * 3).channels, 3);
  EXPECT_EQ(split(Protocol::kSimple, 512 * 64 * 24).channels, 24);
  EXPECT_EQ(split(Protocol::kSimple, 512 * 64 * 24).warps, 17);  // one synchronizes the others
  // At least 32 KiB are sent per channel, and AllReduce sends everything twice.
  EXPECT_EQ(split(Protocol::kSimple, 64 * kKiB).channels_used, 2);
  const WorkSplit large = split(Protocol::kSimple, 1024 * kMiB);
  EXPECT_EQ(large.chunk, Bytes{2 * kMiB});
  EXPECT_EQ(large.slots_per_chunk / large.slots_per_slice, 2);
  EXPECT_EQ((large.first + large.middle * 22 + large.last).count(), 1024 * kMiB);
}

TEST(NcclWorkSplit, EveryByteIsDealtOnce) {
  const Communicator comm = hgx_a100();
  const Constants constants = version("newest");
  for (std::int64_t bytes = 1; bytes < 1024 * kMiB; bytes = bytes * 3 + 7) {
    for (const Protocol protocol : {Protocol::kLl, Protocol::kLl128, Protocol::kSimple}) {
      const WorkSplit split = split_work(Function::kAllReduce, Algorithm::kRing, protocol,
                                         Bytes{bytes}, comm, constants);
      std::int64_t dealt = split.first.count();
      if (split.channels_used > 1) dealt += split.last.count();
      if (split.channels_used > 2) dealt += split.middle.count() * (split.channels_used - 2);
      EXPECT_EQ(dealt, bytes) << to_string(protocol);
      EXPECT_LE(split.channels_used, split.channels);
    }
  }
}

}  // namespace cost_model_test
}  // namespace vgsim::collectives::nccl
