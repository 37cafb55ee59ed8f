#include "topology/importers/hwloc/hwloc_values.hpp"

#include <gtest/gtest.h>

namespace vgsim::topology {
namespace hwloc_values_test {

TEST(HwlocValues, SetsAreNumbersBetweenCommas) {
  EXPECT_EQ(hwloc_set_of("0x0000000f"), "0x0000000f");
  EXPECT_EQ(hwloc_set_of("0xf,,0x1"), "0x0000000f,,0x00000001");
}

TEST(HwlocValues, WhatLibhwlocWouldAbortOnIsNoSet) {
  for (const char* text :
       {"", ",0x1", ",", "0x", "x1", "0x1 ", "0x123456789", "0x1,2", "0xf...f"}) {
    EXPECT_FALSE(hwloc_set_of(text)) << text;
  }
}

}  // namespace hwloc_values_test
}  // namespace vgsim::topology
