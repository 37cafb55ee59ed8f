#include "models/questions/read/tolerances.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vgsim {
namespace tolerances_test {

tl::expected<scenario::Tolerances, input::Diagnostics> read(const char* text) {
  return scenario::read_tolerances(input::make_source("tolerances.json", text));
}

TEST(Tolerances, TheNearestNameCounts) {
  const auto tolerances = read(
      R"({"default": "0.1 %", "busbw_GBps": "2 %", "busbw_GBps@8 B": "10 %", "epoch_time_s": "0 %"})");
  ASSERT_TRUE(tolerances) << input::render(tolerances.error());
  EXPECT_DOUBLE_EQ(tolerances->of("busbw_GBps@8 B"), 0.1);
  EXPECT_DOUBLE_EQ(tolerances->of("busbw_GBps@1 GiB"), 0.02);
  EXPECT_DOUBLE_EQ(tolerances->of("epoch_time_s"), 0.0);
  EXPECT_DOUBLE_EQ(tolerances->of("iteration_time_s"), 0.001);
}

TEST(Tolerances, AreSharesWithTheirSign) {
  EXPECT_FALSE(read(R"({"default": 0.1})"));
  EXPECT_FALSE(read(R"({"default": "0.1"})"));
  EXPECT_FALSE(read(R"({"default": "1 ms"})"));
  EXPECT_FALSE(read(R"([])"));
}

TEST(Tolerances, OfFiguresThatNoResultHasAreErrors) {
  const auto tolerances = read(R"({"iteration_tme_s": "1 %", "busbw_GBps": "1 %"})");
  ASSERT_TRUE(tolerances);
  input::Diagnostics diagnostics;
  check_names(*tolerances, {"busbw_GBps@1 GiB", "iteration_time_s"}, diagnostics);
  ASSERT_EQ(diagnostics.items().size(), 1U);
  EXPECT_THAT(input::render(diagnostics),
              ::testing::HasSubstr("did you mean \"iteration_time_s\"?"));
}

}  // namespace tolerances_test
}  // namespace vgsim
