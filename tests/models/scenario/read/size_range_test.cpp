#include "models/scenario/read/size_range.hpp"

#include <gtest/gtest.h>

namespace vgsim::scenario {
namespace size_range_test {

using namespace literals;

TEST(SizeRange, StepsByTheFactorAndStopsAtTheLast) {
  EXPECT_EQ(parse_size_range("8 B .. 64 B x2").value(),
            (std::vector<Bytes>{8_B, 16_B, 32_B, 64_B}));
  EXPECT_EQ(parse_size_range("8 B .. 100 B x2").value().back(), 64_B);
  EXPECT_EQ(parse_size_range("1 GiB").value(), std::vector<Bytes>{1_GiB});
  EXPECT_EQ(parse_size_range("8 B .. 8 GiB x2").value().size(), 31U);
}

TEST(SizeRange, RefusesWhatDoesNotGrow) {
  for (const char* text : {"8 B .. 4 B x2", "8 B .. 64 B x1", "8 B .. 64 B", "8 .. 64 x2",
                           "0 B .. 1 B x2", "", "x2", "8 B .. 64 B x2x", "8 KB .. 1 MB x2"}) {
    EXPECT_FALSE(parse_size_range(text)) << text;
  }
}

}  // namespace size_range_test
}  // namespace vgsim::scenario
