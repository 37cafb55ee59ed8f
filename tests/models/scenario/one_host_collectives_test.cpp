// Collectives on one NVSwitch host against tables of nccl-tests (tests/nccl-tables) and published
// runs (tests/cases): ratios and slopes, from which starts and hosts cancel.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/scenarios.hpp"

namespace vgsim {
namespace one_host_collectives_test {

using scenario::CollectivePoint;

struct Asked {
  std::string collective = "all_reduce";
  std::string type = "fp16";
  std::string machine = R"("server": "dgx-h100", "gpus": "8 x h100-sxm5-80gb")";
};

CollectivePoint at(const Asked& asked, const std::string& size) {
  return test::run_one(fmt::format(R"({{"name": "one host", "hosts": {{"h": {{{}}}}},
                              "job": {{"collective": "{}", "data_type": "{}", "sizes": ["{}"]}}}})",
                                   asked.machine, asked.collective, asked.type, size))
      .collective->points.at(0);
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

}  // namespace one_host_collectives_test
}  // namespace vgsim
