#include "tools/report/scale.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "tools/report/charts/axis.hpp"

namespace vgsim::report {
namespace scale_test {

RC_GTEST_PROP(NiceTicks, CoverTheRangeInEqualRoundSteps, ()) {
  const double low = *rc::gen::inRange(0, 1'000'000) / 1000.0;
  const double range = std::pow(10.0, *rc::gen::inRange(-3, 6)) * *rc::gen::inRange(1, 100);
  const auto count = static_cast<std::size_t>(*rc::gen::inRange(2, 10));
  const auto ticks = nice_ticks(low, low + range, count);
  RC_ASSERT(ticks.size() >= 2U);
  RC_ASSERT(ticks.size() <= count + 3);
  const double step = ticks[1] - ticks[0];
  RC_ASSERT(ticks.front() <= low + step * 1e-6);
  RC_ASSERT(ticks.back() >= low + range - step * 1e-6);
  const double mantissa = step / std::pow(10.0, std::floor(std::log10(step) + 1e-9));
  RC_ASSERT(std::abs(mantissa - 1) < 1e-3 || std::abs(mantissa - 2) < 1e-3 ||
            std::abs(mantissa - 5) < 1e-3);
}

TEST(NiceTicks, OfAnEmptyRangeAreStillTwo) { EXPECT_GE(nice_ticks(3, 3, 5).size(), 2U); }

TEST(DecadeTicks, EncloseTheRange) {
  EXPECT_EQ(decade_ticks(3, 500), (std::vector<double>{1, 10, 100, 1000}));
  EXPECT_EQ(decade_ticks(10, 100), (std::vector<double>{10, 100}));
  EXPECT_EQ(decade_ticks(10, 10), (std::vector<double>{10, 100}));
}

TEST(Scale, GoesByDifferencesOrByRatios) {
  const Scale plain{0, 200, 10, 110, false};
  EXPECT_DOUBLE_EQ(plain(50), 35);
  const Scale ratios{1, 10000, 0, 100, true};
  EXPECT_NEAR(ratios(100), 50, 1e-9);
  const Scale upwards{0, 1, 300, 0, false};
  EXPECT_DOUBLE_EQ(upwards(1), 0) << "values grow upwards on the screen";
}

TEST(Units, SuitTheLargestValue) {
  EXPECT_EQ(time_unit(0.268).name, "ms");
  EXPECT_DOUBLE_EQ(time_unit(0.268).size, 1e-3);
  EXPECT_EQ(time_unit(4.2).name, "s");
  EXPECT_EQ(time_unit(2e-9).name, "ns");
  EXPECT_EQ(time_unit(1e6).name, "d");
  EXPECT_EQ(flops_unit(312e12).name, "TFLOP/s");
  EXPECT_EQ(size_label(8), "8 B");
  EXPECT_EQ(size_label(64 * 1024), "64 KiB");
  EXPECT_EQ(size_label(1536.0 * 1024 * 1024), "1.5 GiB");
}

RC_GTEST_PROP(SpreadOut, LabelsKeepTheirOrderAndTheirDistance, ()) {
  auto wanted = *rc::gen::container<std::vector<double>>(
      rc::gen::map(rc::gen::inRange(0, 3000), [](int tenth) { return tenth / 10.0; }));
  std::sort(wanted.begin(), wanted.end());
  if (wanted.size() > 20) wanted.resize(20);
  const auto at = spread_out(wanted, 15, 0, 300);
  for (std::size_t i = 1; i < at.size(); ++i) RC_ASSERT(at[i] - at[i - 1] >= 15 - 1e-9);
  for (const double y : at) RC_ASSERT(y <= 300.0);
}

}  // namespace scale_test
}  // namespace vgsim::report
