#include "topology/graph/pcie_speed.hpp"

#include <gtest/gtest.h>

namespace vgsim::topology {
namespace pcie_speed_test {

TEST(PcieSpeed, CountsTheNumberOnly) {
  EXPECT_EQ(pcie_generation_of("2.5 GT/s PCIe"), 1);
  EXPECT_EQ(pcie_generation_of("5 GT/s"), 2);
  EXPECT_EQ(pcie_generation_of("8.0 GT/s"), 3);
  EXPECT_EQ(pcie_generation_of("16 GT/s"), 4);
  EXPECT_EQ(pcie_generation_of("16.0 GT/s PCIe"), 4);
  EXPECT_EQ(pcie_generation_of("32 GT/s PCIe/s"), 5);
  EXPECT_EQ(pcie_generation_of("64"), 6);
}

TEST(PcieSpeed, IsUnknownForAnythingElse) {
  for (const char* text :
       {"", "Unknown", "12 GT/s", "16GT/s", "-8 GT/s", "nan GT/s", "1e999 GT/s"}) {
    EXPECT_EQ(pcie_generation_of(text), std::nullopt) << text;
  }
}

TEST(PcieSpeed, ComparesLinksOfUnlikeWidth) {
  EXPECT_EQ(pcie_transfer_rate({1, 1}), 25);
  EXPECT_EQ(pcie_transfer_rate({3, 16}), pcie_transfer_rate({4, 8}));
  EXPECT_LT(pcie_transfer_rate({2, 32}), pcie_transfer_rate({4, 16}));
}

TEST(PcieSpeed, CarriesWhatTheLineCodeLeaves) {
  EXPECT_DOUBLE_EQ(pcie_gigabytes_per_second({2, 8}).value(), 4.0);
  EXPECT_NEAR(pcie_gigabytes_per_second({4, 16}).value(), 31.5, 0.01);
  EXPECT_DOUBLE_EQ(pcie_gigabytes_per_second({6, 16}).value(), 121.0);
  EXPECT_EQ(pcie_gigabytes_per_second({8, 16}), std::nullopt);
}

TEST(PcieSpeed, IsReadAsItIsWritten) {
  for (const PcieSpeed& speed : kPcieSpeeds) {
    EXPECT_EQ(pcie_generation_of(pcie_link_speed(speed.generation)), speed.generation);
  }
  EXPECT_EQ(pcie_link_speed(8), "");
}

}  // namespace pcie_speed_test
}  // namespace vgsim::topology
