#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "topology/input/units/unit_strings.hpp"

namespace vgsim::input {
namespace unit_format_test {

using namespace vgsim::literals;

TEST(UnitFormat, UsesTheLargestDecimalUnitThatFits) {
  EXPECT_EQ(format_bytes(0_B), "0 B");
  EXPECT_EQ(format_bytes(999_B), "999 B");
  EXPECT_EQ(format_bytes(1360_MB), "1.36 GB");
  EXPECT_EQ(format_bytes(80_GiB), "85.9 GB");
  EXPECT_EQ(format_rate(600_GBps), "600 GB/s");
  EXPECT_EQ(format_rate(25_Gbitps), "3.125 GB/s");
  EXPECT_EQ(format_time(870'400_us), "870.4 ms");
  EXPECT_EQ(format_time(90_s), "1.5 min");
  EXPECT_EQ(format_time(7200_s), "2 h");
  EXPECT_EQ(format_flops(8'200'000'000_FLOP), "8.2 GFLOP");
  EXPECT_EQ(format_flops_rate(312_TFLOPps), "312 TFLOP/s");
}

TEST(UnitFormat, RoundsToFourDigitsAndTiesToEven) {
  EXPECT_EQ(format_bytes(12344_B), "12.34 kB");
  EXPECT_EQ(format_bytes(12345_B), "12.34 kB");
  EXPECT_EQ(format_bytes(12355_B), "12.36 kB");
  EXPECT_EQ(format_bytes(12346_B), "12.35 kB");
}

TEST(UnitFormat, RoundingUpToAThousandTakesTheNextUnit) {
  EXPECT_EQ(format_bytes(999'949_B), "999.9 kB");
  EXPECT_EQ(format_bytes(999'960_B), "1 MB");
  EXPECT_EQ(format_time(59'999_ms), "1 min");
  EXPECT_EQ(format_time(SimTime{(3600 * kPicosecondsPerSecond) - 1}), "1 h");
}

TEST(UnitFormat, DifferencesMayBeNegative) {
  EXPECT_EQ(format_time(SimTime{-1'500'000}), "-1.5 us");
  EXPECT_EQ(format_bytes(Bytes{INT64_MIN}), "-9223 PB");
  EXPECT_EQ(format_time(SimTime{INT64_MAX}), "2562 h");
}

RC_GTEST_PROP(UnitFormatProperty, ReadsBackWithinFourDigits, ()) {
  const auto kind = *rc::gen::element(UnitKind::bytes, UnitKind::bytes_per_second, UnitKind::time,
                                      UnitKind::flops, UnitKind::flops_per_second);
  const auto digits = *rc::gen::inRange(0, 62);
  const std::int64_t count = *rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << digits);
  const auto read = parse_quantity(kind, format_quantity(kind, count));
  RC_ASSERT(read.has_value());
  const double error = std::abs(static_cast<double>(*read - count));
  RC_ASSERT(error <= 0.0005 * static_cast<double>(count) + 1e-9);
}

}  // namespace unit_format_test
}  // namespace vgsim::input
