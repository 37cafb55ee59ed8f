#include "models/questions/read/bounds.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "models/questions/read/quantity_text.hpp"

namespace vgsim::scenario {
namespace bounds_test {

using input::Value;

std::vector<std::string> steps(const Value& low, const Value& high, Scale scale, int count) {
  input::Diagnostics diagnostics;
  const auto bounds = Bounds::read(low, high, scale, diagnostics);
  std::vector<std::string> texts;
  for (int k = 0; bounds && k < count; ++k) {
    texts.push_back(input::to_canonical_string(bounds->at(static_cast<double>(k) / (count - 1))));
  }
  return texts;
}

Value text(const char* words) { return Value::make_string(words); }

using Texts = std::vector<std::string>;

TEST(Bounds, RatesDoubleOnALogarithmicScale) {
  EXPECT_EQ(steps(text("25 Gbit/s"), text("400 Gbit/s"), Scale::kLog, 5),
            (Texts{"\"25 Gbit/s\"", "\"50 Gbit/s\"", "\"100 Gbit/s\"", "\"200 Gbit/s\"",
                   "\"400 Gbit/s\""}));
}

TEST(Bounds, LaterUnitIsReadInTheFirstOnes) {
  EXPECT_EQ(steps(text("10 Gbit/s"), text("2.5 GB/s"), Scale::kLinear, 3),
            (Texts{"\"10 Gbit/s\"", "\"15 Gbit/s\"", "\"2.5 GB/s\""}));
}

TEST(Bounds, WholeNumbersStayWhole) {
  EXPECT_EQ(steps(Value::make_integer(8), Value::make_integer(512), Scale::kLog, 7),
            (Texts{"8", "16", "32", "64", "128", "256", "512"}));
  EXPECT_EQ(steps(Value::make_integer(1), Value::make_integer(4), Scale::kLinear, 3),
            (Texts{"1", "3", "4"}));
}

TEST(Bounds, TenthsAreTenths) {
  EXPECT_EQ(steps(Value::make_number(0.0), Value::make_number(1.0), Scale::kLinear, 11)[3], "0.3");
}

TEST(Bounds, SharesOfAGibibyteAreWholeBytes) {
  const auto between = steps(text("1 GiB"), text("2 GiB"), Scale::kLog, 3);
  ASSERT_EQ(between.size(), 3U);
  EXPECT_EQ(between[1], "\"1482910 KiB\"");  // sqrt(2) * 2^20 = 1482910.4
}

TEST(Bounds, OfTwoKindsAreRefused) {
  EXPECT_TRUE(steps(text("1 GiB"), text("10 Gbit/s"), Scale::kLinear, 2).empty());
  EXPECT_TRUE(steps(text("1 GiB"), Value::make_integer(3), Scale::kLinear, 2).empty());
  EXPECT_TRUE(steps(text("2 us"), text("1 us"), Scale::kLinear, 2).empty());
  EXPECT_TRUE(steps(Value::make_integer(0), Value::make_integer(3), Scale::kLog, 2).empty());
}

RC_GTEST_PROP(QuantityText, ReadsBackToWithinAMillionth, ()) {
  using input::UnitKind;
  const auto [kind, unit] = *rc::gen::element(
      std::pair{UnitKind::bytes, "GiB"}, std::pair{UnitKind::bytes, "MB"},
      std::pair{UnitKind::bytes_per_second, "Gbit/s"},
      std::pair{UnitKind::bytes_per_second, "GiB/s"}, std::pair{UnitKind::time, "us"},
      std::pair{UnitKind::time, "h"}, std::pair{UnitKind::flops_per_second, "TFLOP/s"});
  const double number = static_cast<double>(*rc::gen::inRange(1, 20'000'000)) / 1e4;
  const auto read = read_quantity(quantity_text(kind, unit, number));
  RC_ASSERT(read.has_value());
  RC_ASSERT(read->kind == kind);
  RC_ASSERT(std::fabs(read->in_unit(unit) / number - 1.0) < 5.1e-6);
}

}  // namespace bounds_test
}  // namespace vgsim::scenario
