#include "sim/exact.hpp"

#include <gtest/gtest.h>

namespace vgsim {
namespace {

using namespace literals;

TEST(Exact, DurationsRoundUpToTheNextPicosecond) {
  EXPECT_EQ(duration_of(Exact(1), Exact(3)), SimTime{333'333'333'334});
  EXPECT_EQ(duration_of(Exact(1), Exact(4)), SimTime{250'000'000'000});
  EXPECT_EQ(duration_of(Exact(0), Exact(7)), 0_ps);
  EXPECT_EQ(duration_of(Exact(1, 1'000'000'000), Exact(1'000'000'000)), 1_ps);
}

TEST(Exact, DurationsBeyondTheRangeThrow) {
  EXPECT_THROW(static_cast<void>(duration_of(Exact(9'223'373), Exact(1))), OverflowError);
  EXPECT_EQ(duration_of(Exact(9'223'372), Exact(1)), 9'223'372_s);
}

TEST(Exact, WhatIsDeliveredInTheDurationIsTheAmount) {
  EXPECT_EQ(delivered(Exact(4), 250'000'000'000_ps), Exact(1));
  EXPECT_EQ(delivered(Exact(1, 3), 3_s), Exact(1));
}

TEST(Exact, SharesAreReadToNineDecimals) {
  EXPECT_EQ(exact_share(0.86), Exact(43, 50));
  EXPECT_EQ(exact_share(1.0 / 3), Exact(333'333'333, 1'000'000'000));
}

}  // namespace
}  // namespace vgsim
