#include "models/training/compute_noise.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/scenarios.hpp"

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

TEST(SlowestRank, WaitsLongerForBatchesOfDifferentWork) {
  // Independent causes add up in squares; the mean of four micro-batches varies half as much.
  const auto parameters = test::library().parameters;
  const double jitter = parameters.number("step_jitter");
  const auto lost = [&](std::int64_t micro_batches, double spread) {
    return slowest_factor(8, micro_batches, spread, parameters) - 1;
  };
  EXPECT_NEAR(lost(1, jitter * std::sqrt(3)) / lost(1, 0), 2, 1e-9);
  EXPECT_NEAR(lost(1, 0.1) / lost(4, 0.1), 2, 1e-9);
}

}  // namespace compute_noise_test
}  // namespace vgsim::training
