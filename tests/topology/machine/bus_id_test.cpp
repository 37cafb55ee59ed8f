#include "topology/machine/bus_id.hpp"

#include <gtest/gtest.h>

namespace vgsim::topology {
namespace bus_id_test {

TEST(BusId, HasOneForm) {
  EXPECT_EQ(normalized_bus_id("0000:3b:00.0"), "0000:3b:00.0");
  EXPECT_EQ(normalized_bus_id("00000000:3B:00.0"), "0000:3b:00.0");
  EXPECT_EQ(normalized_bus_id("fffffff:ff:ff.0"), "fffffff:ff:ff.0");
  EXPECT_EQ(normalized_bus_id("00010000:00:00.0"), "10000:00:00.0");
}

TEST(BusId, IsNothingElse) {
  for (const char* text : {"", "3b:00.0", "0000:3b:00", "0000:3b:00.0 ", "0000-3b:00.0",
                           "000g:3b:00.0", "000000000:3b:00.0", "0000:3b:00:0"}) {
    EXPECT_EQ(normalized_bus_id(text), "") << text;
  }
}

TEST(BusId, IsOrderedAsNumbers) {
  EXPECT_TRUE(bus_id_less("0000:3b:00.0", "0000:5e:00.0"));
  EXPECT_TRUE(bus_id_less("ffff:ff:00.0", "10000:00:00.0"));
  EXPECT_FALSE(bus_id_less("0000:3b:00.0", "0000:3b:00.0"));
}

}  // namespace bus_id_test
}  // namespace vgsim::topology
