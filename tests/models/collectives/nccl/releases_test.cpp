#include "models/collectives/nccl/read/releases.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/scenarios.hpp"
#include "topology/input/load_source.hpp"

namespace vgsim::collectives::nccl {
namespace releases_test {

using ::testing::HasSubstr;

const Releases& shipped() { return test::library().nccl; }

Constants of(const char* version) { return constants_of(shipped(), version).value(); }

TEST(NcclReleases, HasTheValuesOfItsSource) {
  // NVIDIA/nccl src/graph/topo.h and tuning.cc at the tags.
  EXPECT_EQ(nvlink_bandwidth(of("2.10.3"), 80), 22);
  EXPECT_EQ(nvlink_bandwidth(of("2.18.6"), 80), 20);
  EXPECT_EQ(nvlink_bandwidth(of("2.30.7"), 90), 20.6);
  EXPECT_EQ(of("2.10.3").amd, 5000);
  EXPECT_EQ(of("2.30.7").amd, 16);
  const auto ring = static_cast<std::size_t>(Algorithm::kRing);
  EXPECT_EQ(of("2.10.3").base_latency[ring], (ByProtocol{3.6, 10, 8.4}));
  EXPECT_EQ(of("2.30.7").base_latency[ring], (ByProtocol{6.6, 14, 8.4}));
}

TEST(NcclReleases, NvlinkOfAnUnlistedGpuIsThatOfTheGenerationBelow) {
  const Constants newest = of("newest");
  EXPECT_EQ(nvlink_bandwidth(newest, 60), 18);
  EXPECT_EQ(nvlink_bandwidth(newest, 75), 20);
  EXPECT_EQ(nvlink_bandwidth(newest, 86), 12);  // and only this one
  EXPECT_EQ(nvlink_bandwidth(newest, 89), 20);
  EXPECT_EQ(nvlink_bandwidth(newest, 103), 40.1);
  EXPECT_EQ(nvlink_bandwidth(newest, 52), 20);
}

TEST(NcclReleases, AVersionBetweenTwoTakesTheEarlierOnesValues) {
  const Constants between = of("2.15.1");
  EXPECT_EQ(between.version, (Version{2, 15, 1}));
  EXPECT_EQ(between.release, (Version{2, 14, 3}));
  EXPECT_EQ(of("2.17").release, (Version{2, 16, 5}));
  EXPECT_EQ(of("2.18").version, (Version{2, 18, 6}));
  EXPECT_EQ(of("2.18.1").release, (Version{2, 18, 6}));  // known to be no different
  EXPECT_EQ(of("v2.30.9-1").release, (Version{2, 30, 7}));
  EXPECT_EQ(of("newest").release, (Version{2, 32, 3}));
}

TEST(NcclReleases, OtherVersionsAreRefusedWithTheRange) {
  for (const char* version : {"2.9.8", "2.33.1", "3.0", "1", "latest", "2.18.x", "", "2.18.6-2"}) {
    const auto refused = constants_of(shipped(), version);
    ASSERT_FALSE(refused) << version;
    EXPECT_THAT(refused.error(), HasSubstr("from 2.10 to 2.32"));
  }
}

TEST(NcclReleases, SpeedsFallAndLaterReleasesKnowMoreAlgorithms) {
  std::size_t known = 0;
  for (const Release& release : shipped()) {
    const Constants& c = release.constants;
    for (const auto& speeds : {c.speeds_intra, c.speeds_inter, c.speeds_intra_sm90,
                               c.speeds_inter_sm90, c.speeds_intra_sm100, c.speeds_inter_sm100}) {
      EXPECT_TRUE(std::is_sorted(speeds.rbegin(), speeds.rend())) << to_string(c.release);
    }
    const auto has =
        static_cast<std::size_t>(std::count(c.has_algorithm.begin(), c.has_algorithm.end(), true));
    EXPECT_GE(has, known);
    known = has;
    EXPECT_LE(release.since, c.release);
  }
}

/// The shipped file with one text replaced.
std::string damaged(const std::string& find, const std::string& replace) {
  const auto file =
      input::load_source(std::string(VGSIM_SOURCE_DIR) + "/configs/nccl/releases.json");
  std::string text((*file)->text);
  text.replace(text.find(find), find.size(), replace);
  const auto releases = read_releases(input::make_source("releases.json", text));
  return releases ? "" : input::render(releases.error());
}

TEST(NcclReleases, FaultsAreToldWhereTheyStand) {
  EXPECT_THAT(damaged("\"2.12.12\"", "\"2.9.12\""), HasSubstr("follows 2.10.3"));
  EXPECT_THAT(damaged("\"source\": \"nccl-source\"", "\"source\": \"x\""),
              HasSubstr("unknown source"));
  EXPECT_THAT(damaged("\"amd\": 5000", "\"amd\": null"), HasSubstr("amd"));
  EXPECT_THAT(damaged("\"unit\": \"GB/s\"", "\"unit\": \"Gbit/s\""), HasSubstr("GB/s"));
  EXPECT_THAT(damaged("[39, 39, 20.4]", "[39, 39]"), HasSubstr("3"));
}

}  // namespace releases_test
}  // namespace vgsim::collectives::nccl
