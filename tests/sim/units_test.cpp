#include "sim/units.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace vgsim {
namespace units_test {

using namespace literals;

constexpr std::int64_t kLargest = INT64_MAX;

TEST(Units, LiteralsCountTheirUnit) {
  EXPECT_EQ(1_s, SimTime{1'000'000'000'000});
  EXPECT_EQ(3_us + 5_ns, SimTime{3'005'000});
  EXPECT_EQ(1_GB, Bytes{1'000'000'000});
  EXPECT_EQ(1_GiB, Bytes{1'073'741'824});
  EXPECT_EQ(100_Gbitps, BytesPerSecond{12'500'000'000});
  EXPECT_EQ(2_GFLOP, 2'000'000'000_FLOP);
}

TEST(Units, LiteralsBeyondTheRangeThrow) {
  EXPECT_THROW(static_cast<void>(10'000'000_s), OverflowError);
  EXPECT_THROW(static_cast<void>(9'223'372'036'854'775'808_B), OverflowError);
  EXPECT_EQ(9'223'372_s, SimTime{9'223'372'000'000'000'000});
}

TEST(Units, ArithmeticNeverWraps) {
  EXPECT_THROW(SimTime{kLargest} + 1_ps, OverflowError);
  EXPECT_THROW(SimTime{-kLargest} - 2_ps, OverflowError);
  EXPECT_THROW(Bytes{kLargest / 2 + 1} * 2, OverflowError);
  EXPECT_EQ(Bytes{kLargest - 1} + 1_B, Bytes{kLargest});
}

}  // namespace units_test
}  // namespace vgsim
