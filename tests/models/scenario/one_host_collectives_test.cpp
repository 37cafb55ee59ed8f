// Collectives on one NVSwitch host against tables of nccl-tests (tests/nccl-tables) and published
// runs (tests/cases): ratios and slopes, from which starts and hosts cancel.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/support/scenarios.hpp"

namespace vgsim {
namespace one_host_collectives_test {

using scenario::CollectivePoint;

struct Asked {
  std::string collective = "all_reduce";
  std::string type = "fp16";
  std::string machine = R"("server": "dgx-h100", "gpus": "8 x h100-sxm5-80gb")";
  int gpus_per_thread = 1;
};

std::string text_of(const Asked& asked, const std::string& size) {
  return fmt::format(R"({{"name": "one host", "hosts": {{"h": {{{}}}}},
                              "job": {{"collective": "{}", "data_type": "{}", "sizes": ["{}"],
                                       "gpus_per_thread": {}}}}})",
                     asked.machine, asked.collective, asked.type, size, asked.gpus_per_thread);
}

CollectivePoint at(const Asked& asked, const std::string& size) {
  return test::run_one(text_of(asked, size)).collective->points.at(0);
}

double seconds(const Asked& asked, const std::string& size) {
  return to_seconds(at(asked, size).time);
}

double slope(const Asked& asked) { return seconds(asked, "512 MiB") - seconds(asked, "256 MiB"); }

Asked b200(int gpus, const std::string& collective) {
  return {collective, "fp16",
          fmt::format(R"("server": "hgx-b200", "gpus": "{} x b200-sxm-180gb")", gpus)};
}

TEST(OneHostCollectives, NvSwitchesAddNoInt8) {
  const Asked halves{};
  Asked bytes{};
  bytes.type = "int8";
  EXPECT_EQ(at(halves, "1 GiB").choice->algorithm, "nvls");
  EXPECT_EQ(at(bytes, "1 GiB").choice->algorithm, "ring");
  // Tables of 8 H100 at 512 MiB: 445.0 and 350.9 GB/s.
  EXPECT_NEAR(seconds(bytes, "512 MiB") / seconds(halves, "512 MiB"), 445.0 / 350.9, 0.06);
}

TEST(OneHostCollectives, OfWhatIsOnlyGatheredTheTypeDoesNotMatter) {
  Asked halves{"all_gather"};
  Asked bytes{"all_gather", "int8"};
  EXPECT_EQ(seconds(halves, "256 MiB"), seconds(bytes, "256 MiB"));
}

TEST(OneHostCollectives, AllToAllAmongTwoCopiesAsMuchAsItSends) {
  // Tables of B200, 256 to 512 MiB: two GPUs 389.2 us, four 397.9, eight 396.5.
  EXPECT_NEAR(slope(b200(2, "all_to_all")) * 1e6, 389.2, 389.2 * 0.06);
  EXPECT_NEAR(slope(b200(4, "all_to_all")) * 1e6, 397.9, 397.9 * 0.06);
  EXPECT_NEAR(slope(b200(8, "all_to_all")) * 1e6, 396.5, 396.5 * 0.06);
}

TEST(OneHostCollectives, OfAllToAllTheLastPieceIsCopiedWhenAllHasArrived) {
  // Tables, 32 MiB: 4 A100 172.9 us, 8 H100 124.9, 8 B200 88.8; links alone need 145, 105 and 68.
  const Asked a100{"all_to_all", "fp16", R"("server": "dgx-a100", "gpus": "4 x a100-sxm4-80gb")"};
  EXPECT_NEAR(seconds(a100, "32 MiB") * 1e6, 172.9, 172.9 * 0.08);
  EXPECT_NEAR(seconds({"all_to_all"}, "32 MiB") * 1e6, 124.9, 124.9 * 0.08);
  EXPECT_NEAR(seconds(b200(8, "all_to_all"), "32 MiB") * 1e6, 88.8, 88.8 * 0.11);
}

TEST(OneHostCollectives, RanksOfARingCopyTheirOwnPart) {
  // Tables of B200, 256 to 512 MiB: AllGather among two 292.5 us, among eight 368.5, though the
  // first sends 4/7 of it.
  EXPECT_NEAR(slope(b200(2, "all_gather")) * 1e6, 292.5, 20);
  EXPECT_NEAR(slope(b200(8, "all_gather")) * 1e6, 368.5, 20);
}

TEST(OneHostCollectives, ReductionsInTheNvSwitchGainWithTheirChunks) {
  // Open case nvsw-azureND-H100_v5-ar: 250.5 GB/s at 512 MiB in chunks of 64 KiB, 271.7 at 4 GiB
  // in chunks of 128 KiB; vultr's B200 402.3 and 475.8.
  const auto gain = [](const Asked& asked) {
    return 8 * seconds(asked, "512 MiB") / seconds(asked, "4 GiB");
  };
  EXPECT_NEAR(gain({}), 271.7 / 250.5, 0.02);
  EXPECT_NEAR(gain(b200(8, "all_reduce")), 475.8 / 402.3, 0.03);
}

TEST(OneHostCollectives, OneThreadLaunchesOnOneGpuAfterTheOther) {
  // superbench's logs of nccl-tests with nThread 1 nGpus 8 on A100: 34.7 us for AllReduce and
  // AllGather alike, 87 us for AllToAll; by a thread each (the tables) 22 and 15 us.
  Asked all{"all_reduce", "fp16", R"("server": "dgx-a100", "gpus": "8 x a100-sxm4-40gb")", 8};
  Asked gather = all;
  gather.collective = "all_gather";
  Asked exchange = all;
  exchange.collective = "all_to_all";
  EXPECT_NEAR(seconds(all, "64 B") * 1e6, 34.8, 34.8 * 0.1);
  EXPECT_EQ(seconds(gather, "64 B"), seconds(all, "64 B"));
  EXPECT_NEAR(seconds(exchange, "512 B") * 1e6, 87.3, 87.3 * 0.1);
  Asked apart = all;
  apart.gpus_per_thread = 1;
  EXPECT_LT(seconds(apart, "64 B"), seconds(all, "64 B") * 0.75);
  EXPECT_EQ(seconds(apart, "1 GiB"), seconds(all, "1 GiB"));  // launched long before it ends
}

TEST(OneHostCollectives, NoThreadReachesGpusOfOtherMachines) {
  Asked more;
  more.gpus_per_thread = 16;
  const auto result = test::try_run(text_of(more, "64 B"));
  ASSERT_FALSE(result);
  const std::string errors = input::render(result.error());
  EXPECT_NE(errors.find("/job/gpus_per_thread"), std::string::npos) << errors;
  EXPECT_NE(errors.find("16 GPUs per thread, but the machine has 8"), std::string::npos) << errors;
}

TEST(OneHostCollectives, HopperLaunchesAndStepsFaster) {
  // AllReduce of 512 B: tables of 2, 4 and 8 H100 6.2, 9.5 and 15.6 us, A100 10.0, 14.5 and 22.6.
  const auto small = [](const char* server, const char* gpu, int gpus) {
    return seconds({"all_reduce", "fp16",
                    fmt::format(R"("server": "{}", "gpus": "{} x {}")", server, gpus, gpu)},
                   "512 B");
  };
  const std::map<int, double> measured = {{2, 6.2 / 10.0}, {4, 9.5 / 14.5}, {8, 15.6 / 22.6}};
  for (const auto& [gpus, ratio] : measured) {
    EXPECT_NEAR(
        small("dgx-h100", "h100-sxm5-80gb", gpus) / small("dgx-a100", "a100-sxm4-80gb", gpus),
        ratio, 0.08);
  }
}

TEST(OneHostCollectives, WhatARankCopiesIsNoLatency) {
  const Asked gather{"all_gather"};
  EXPECT_EQ(at(gather, "1 GiB").fixed, at(gather, "2 GiB").fixed);
  EXPECT_GT(at(gather, "1 GiB").fixed, SimTime{0});
}

}  // namespace one_host_collectives_test
}  // namespace vgsim
