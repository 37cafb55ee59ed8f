#include "topology/importers/hwloc/hwloc_link_counts.hpp"

#include <gtest/gtest.h>

namespace vgsim::topology {
namespace hwloc_link_counts_test {

TEST(HwlocNvLinks, HaveTheRateOfTheirGeneration) {
  EXPECT_EQ(hwloc_nvlink_megabytes("15f9", 80000, ""), 20000);   // P100
  EXPECT_EQ(hwloc_nvlink_megabytes("1db8", 150000, ""), 25000);  // V100
  EXPECT_EQ(hwloc_nvlink_megabytes("20b0", 300000, ""), 25000);  // A100
  EXPECT_EQ(hwloc_nvlink_megabytes("2330", 450000, ""), 25000);  // H100
  EXPECT_EQ(hwloc_nvlink_megabytes("2901", 900000, ""), 50000);  // B200
}

TEST(HwlocNvLinks, OldVersionsCountBothDirections) {
  EXPECT_EQ(hwloc_nvlink_megabytes("2330", 400000, "2.9.0"), 50000);
  EXPECT_EQ(hwloc_nvlink_megabytes("2330", 400000, "2.5.0rc1"), 50000);
  EXPECT_EQ(hwloc_nvlink_megabytes("2330", 400000, "2.9.2"), 25000);
  EXPECT_EQ(hwloc_nvlink_megabytes("2330", 400000, "2.12.2"), 25000);
  EXPECT_EQ(hwloc_nvlink_megabytes("2330", 400000, "PR-436"), 25000);
  EXPECT_EQ(hwloc_nvlink_megabytes("1db8", 150000, "2.9.0"), 25000);
}

TEST(HwlocNvLinks, AGpuHasNoMoreThanItsChip) {
  EXPECT_EQ(hwloc_nvlink_megabytes("20b0", 600000, ""), 50000);
  EXPECT_EQ(hwloc_nvlink_megabytes("2230", 200000, ""), 50000);
}

TEST(HwlocNvLinks, OfUnknownChipsHaveWhatFits) {
  EXPECT_EQ(hwloc_nvlink_megabytes("", 80000, ""), 20000);
  EXPECT_EQ(hwloc_nvlink_megabytes("ffff", 150000, ""), 25000);
  EXPECT_EQ(hwloc_nvlink_megabytes("zz", 100000, ""), 25000);
}

}  // namespace hwloc_link_counts_test
}  // namespace vgsim::topology
