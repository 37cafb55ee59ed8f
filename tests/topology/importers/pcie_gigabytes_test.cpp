#include "topology/importers/pcie_gigabytes.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <string>

namespace vgsim::topology {
namespace pcie_gigabytes_test {

using inventory::DeviceKind;

std::string link(double gigabytes, DeviceKind kind) {
  const auto found = link_of_gigabytes(gigabytes, kind);
  if (!found) return "none";
  return fmt::format("gen{} x{}{}", found->width.generation, found->width.lanes,
                     found->only_one ? "" : "?");
}

TEST(LinkOfGigabytes, GpusHaveSixteenLanes) {
  EXPECT_EQ(link(15.753846, DeviceKind::kGpu), "gen3 x16?");
  EXPECT_EQ(link(31.507692, DeviceKind::kGpu), "gen4 x16?");
  EXPECT_EQ(link(63.015385, DeviceKind::kGpu), "gen5 x16");
  EXPECT_EQ(link(4.0, DeviceKind::kGpu), "gen1 x16?");  // idle
  EXPECT_EQ(link(7.876923, DeviceKind::kNic), "gen3 x8?");
}

TEST(LinkOfGigabytes, DrivesHaveFourLanes) {
  EXPECT_EQ(link(15.753846, DeviceKind::kStorage), "gen5 x4?");
  EXPECT_EQ(link(7.876923, DeviceKind::kStorage), "gen4 x4?");
  EXPECT_EQ(link(3.938462, DeviceKind::kStorage), "gen3 x4?");
}

TEST(LinkOfGigabytes, AmdRoundsDown) { EXPECT_EQ(link(31.0, DeviceKind::kGpu), "gen4 x16?"); }

TEST(LinkOfGigabytes, NewerHwlocEncodesGenerationTwoDifferently) {
  EXPECT_EQ(link(0.615385, DeviceKind::kNic), "gen2 x1");
  EXPECT_EQ(link(2.461539, DeviceKind::kNic), "gen2 x4");
}

TEST(LinkOfGigabytes, WhatFitsSeveralIsNone) {
  EXPECT_EQ(link(3.938462, DeviceKind::kNic), "none");
  EXPECT_EQ(link(1.0, DeviceKind::kNvSwitch), "none");
  EXPECT_EQ(link(15.753846, DeviceKind::kOther), "none");
}

TEST(LinkOfGigabytes, WhatFitsNoneIsNone) {
  EXPECT_EQ(link(0.0, DeviceKind::kGpu), "none");
  EXPECT_EQ(link(12.0, DeviceKind::kGpu), "none");
  EXPECT_EQ(link(0.2, DeviceKind::kNic), "none");
}

std::string nccl_link(double gigabytes, DeviceKind kind = DeviceKind::kGpu) {
  const auto found = link_of_nccl_gigabytes(gigabytes, kind);
  if (!found) return "none";
  return fmt::format("gen{} x{}{}", found->width.generation, found->width.lanes,
                     found->only_one ? "" : "?");
}

/// NCCL: 0.1875 GB/s for a lane of generation 1, twice as much for each later one.
TEST(LinkOfNcclGigabytes, IsTheInverseOfItsTable) {
  EXPECT_EQ(nccl_link(12.0), "gen3 x16?");
  EXPECT_EQ(nccl_link(24.0), "gen4 x16?");
  EXPECT_EQ(nccl_link(48.0), "gen5 x16?");
  EXPECT_EQ(nccl_link(96.0), "gen6 x16");
  EXPECT_EQ(nccl_link(6.0), "gen3 x8?") << "not gen2 x16";
  EXPECT_EQ(nccl_link(3.0), "gen1 x16?") << "an idle GPU, or an emulated bridge";
  EXPECT_EQ(nccl_link(0.2, DeviceKind::kBridge), "gen1 x1");
  EXPECT_EQ(nccl_link(10.0), "none");
  EXPECT_EQ(nccl_link(5000.0), "none");
}

}  // namespace pcie_gigabytes_test
}  // namespace vgsim::topology
