#include "models/calibration/statistics.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>

namespace vgsim::calibration {
namespace statistics_test {

TEST(Statistics, TheMedianIsTheMiddleOrTheMeanOfBothMiddles) {
  EXPECT_EQ(median({3.0, 1.0, 2.0}), 2.0);
  EXPECT_EQ(median({4.0, 1.0, 3.0, 2.0}), 2.5);
  EXPECT_EQ(median({7.0}), 7.0);
  EXPECT_THROW((void)median({}), std::logic_error);
}

TEST(Statistics, APercentileIsOfTheNearestRank) {
  std::vector<double> hundred(100);
  std::iota(hundred.begin(), hundred.end(), 1.0);
  EXPECT_EQ(percentile(hundred, 90), 90.0);
  EXPECT_EQ(percentile(hundred, 0), 1.0);
  EXPECT_EQ(percentile(hundred, 100), 100.0);
  EXPECT_EQ(percentile({5.0, 1.0, 3.0}, 90), 5.0);  // rank 2.7, so the third
  EXPECT_EQ(percentile({1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0}, 90), 9.0);
  EXPECT_THROW((void)percentile({}, 90), std::logic_error);
}

}  // namespace statistics_test
}  // namespace vgsim::calibration
