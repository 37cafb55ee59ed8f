#include "topology/importers/pcie_speed.hpp"

#include <gtest/gtest.h>

#include "import_fixture.hpp"

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

TEST(PcieSpeed, FallsBackOnTheCatalogue) {
  const Catalog catalog = testing::small_catalog();
  EXPECT_EQ(nearest_pcie_generation(catalog, 1), 3);
  EXPECT_EQ(nearest_pcie_generation(catalog, 4), 4);
  EXPECT_EQ(nearest_pcie_generation(catalog, 6), 5);
  EXPECT_THROW(static_cast<void>(nearest_pcie_generation(Catalog(), 3)), std::out_of_range);
}

}  // namespace pcie_speed_test
}  // namespace vgsim::topology
