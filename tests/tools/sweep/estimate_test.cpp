#include "tools/sweep/estimate.hpp"

#include <gtest/gtest.h>

namespace vgsim {
namespace estimate_test {

using sweep::Estimate;
using sweep::estimate_text;

TEST(Estimate, OtherPointsTakeAsLongAsTheFirst) {
  const Estimate estimate{8, 20.0, 9992};
  EXPECT_DOUBLE_EQ(estimate.seconds_left(), 9992 * 2.5);
  EXPECT_EQ(estimate_text(estimate),
            "the first 8 points took 20 s; the other 9992 will take about 6.9 h");
}

TEST(Estimate, MoreThanAnHourIsLong) {
  EXPECT_FALSE((Estimate{2, 2.0, 3600}).is_long());
  EXPECT_TRUE((Estimate{2, 2.0, 3601}).is_long());
  EXPECT_FALSE((Estimate{4, 1e6, 0}).is_long()) << "nothing is left to wait for";
  EXPECT_FALSE(Estimate{}.is_long());
}

TEST(Estimate, NothingIsSaidOfLessThanAMinute) {
  EXPECT_EQ(estimate_text({2, 2.0, 59}), "");
  EXPECT_NE(estimate_text({2, 2.0, 60}), "");
}

TEST(Estimate, OnePointOfEachThreadIsEnough) {
  EXPECT_EQ(sweep::first_points(8, 100), 8U);
  EXPECT_EQ(sweep::first_points(8, 3), 3U);
  EXPECT_EQ(sweep::first_points(0, 3), 1U);
}

}  // namespace estimate_test
}  // namespace vgsim
