#include "models/collectives/spread.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/scenarios.hpp"

namespace vgsim {
namespace spread_test {

using collectives::interval_of;
using collectives::Spread;

constexpr Spread kSpread{{1, 0.5, 4}, {1, 0.7, 2}, {1, 0.9, 1.1}};
constexpr SimTime kTime{1'000'000};

TEST(Spread, IsThatOfLatencyOfHalfAndOfDataAtTheirShares) {
  const auto all = interval_of(kTime, kTime, kSpread);
  EXPECT_EQ(all.low, SimTime{500'000});
  EXPECT_EQ(all.high, SimTime{4'000'000});
  const auto half = interval_of(kTime, SimTime{500'000}, kSpread);
  EXPECT_EQ(half.low, SimTime{700'000});
  EXPECT_EQ(half.high, SimTime{2'000'000});
  const auto none = interval_of(kTime, SimTime{0}, kSpread);
  EXPECT_EQ(none.low, SimTime{900'000});
  EXPECT_EQ(none.high, SimTime{1'100'000});
}

TEST(Spread, BetweenThemFactorsChangeByEqualRatios) {
  const auto quarter = interval_of(kTime, SimTime{750'000}, kSpread);
  EXPECT_NEAR(static_cast<double>(quarter.high.count()), 1e6 * std::sqrt(2.0 * 4.0), 1);
  EXPECT_NEAR(static_cast<double>(quarter.low.count()), 1e6 * std::sqrt(0.7 * 0.5), 1);
}

TEST(Spread, OfNothingIsNothing) {
  EXPECT_EQ(interval_of(SimTime{0}, SimTime{0}, kSpread).high, SimTime{0});
}

// Two hosts with a GPU and a port each: each direction carries the buffer once.
TEST(Spread, NoIntervalBeginsBeforeTheLineRate) {
  for (const char* nic : {"connectx-6-dx-100g", "connectx-7-ndr-200g"}) {
    for (const char* bandwidth : {"line_rate", "effective"}) {
      for (const std::int64_t mib : {1, 64, 1024, 8192}) {
        const auto result = test::run_one(fmt::format(
            R"({{"name": "pair", "hosts": {{"h[1-2]": {{"server": "dell-r750xa",
                "gpus": "1 x a100-pcie-80gb", "nics": {{"nic0": {{"nic": "{}", "near": "gpu0"}}}}}}}},
                "idealise": {{"bandwidth": "{}"}},
                "job": {{"collective": "all_reduce", "sizes": ["{} MiB"]}}}})",
            nic, bandwidth, mib));
        const double rate = std::string(nic).find("100g") != std::string::npos ? 12.5e9 : 25e9;
        const auto& point = result.collective->points.at(0);
        EXPECT_GE(to_seconds(point.low), static_cast<double>(mib << 20) / rate * (1 - 1e-9));
        EXPECT_LE(point.low, point.time);
      }
    }
  }
}

}  // namespace spread_test
}  // namespace vgsim
