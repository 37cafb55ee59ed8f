#include "models/training/compute_noise.hpp"

#include <gtest/gtest.h>

namespace vgsim::training {
namespace compute_noise_test {

TEST(SlowestRank, LiesAsFarAboveTheMeanAsTablesOfOrderStatisticsSay) {
  // H. L. Harter, Expected values of normal order statistics, 1961.
  EXPECT_EQ(expected_largest_deviation(1), 0.0);
  for (const auto& [values, expected] :
       {std::pair{2, 0.5642}, {3, 0.8463}, {4, 1.0294}, {8, 1.4236}, {16, 1.7660}, {100, 2.5076}}) {
    EXPECT_NEAR(expected_largest_deviation(static_cast<std::size_t>(values)), expected, 0.03)
        << values;
  }
}

}  // namespace compute_noise_test
}  // namespace vgsim::training
