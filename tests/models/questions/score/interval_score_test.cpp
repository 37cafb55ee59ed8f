#include "models/questions/score/interval_score.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/portable_math.hpp"

namespace vgsim::scenario {
namespace interval_score_test {

TEST(IntervalScore, IsTheWidthOfWhatHoldsAndTwentyTimesHowFarTheOthersAreOutside) {
  // Gneiting and Raftery: (u - l) + 2/0.1 (l - x) below, + 2/0.1 (x - u) above; here of logarithms.
  const auto held = summarize_intervals({{"a", {{3, 2, 4}}}});
  EXPECT_NEAR(held->score, 2.0, 1e-12);
  const auto below = summarize_intervals({{"a", {{1.9, 2, 4}}}});
  EXPECT_NEAR(below->score, 2.0 * std::pow(2 / 1.9, 20), 1e-9);
  const auto above = summarize_intervals({{"a", {{4.1, 2, 4}}}});
  EXPECT_NEAR(above->score, 2.0 * std::pow(4.1 / 4, 20), 1e-9);
  EXPECT_FALSE(summarize_intervals({{"a", {}}}));
}

TEST(IntervalScore, CountsAMachineOnceHoweverOftenItWasMeasured) {
  const auto summary = summarize_intervals(
      {{"often", {{1, 2, 4}, {1, 2, 4}, {1, 2, 4}, {1, 2, 4}}}, {"once", {{1, 0.9, 1.2}}}});
  EXPECT_EQ(summary->groups, 2U);
  EXPECT_DOUBLE_EQ(summary->inside, 0.5);
}

TEST(IntervalScore, IsLeastForTheIntervalThatLeavesOneInTwentyAtEitherEnd) {
  IntervalsByGroup right;
  IntervalsByGroup narrow;
  IntervalsByGroup wide;
  const auto around = [](double measured, double z) {
    return ScoredInterval{measured, std::exp(-0.1 * z), std::exp(0.1 * z)};
  };
  for (int i = 0; i < 2000; ++i) {
    const double measured = std::exp(0.1 * normal_quantile((i + 0.5) / 2000));
    right[""].push_back(around(measured, 1.6449));
    narrow[""].push_back(around(measured, 1.3));
    wide[""].push_back(around(measured, 2.1));
  }
  EXPECT_NEAR(summarize_intervals(right)->inside, 0.9, 1e-3);
  EXPECT_LT(summarize_intervals(right)->score, summarize_intervals(narrow)->score);
  EXPECT_LT(summarize_intervals(right)->score, summarize_intervals(wide)->score);
}

TEST(IntervalScore, FewMachinesSayLittle) {
  IntervalSummary summary;
  summary.inside = 0.8;
  summary.groups = 10;  // eight of ten: at least as likely as one in five
  EXPECT_FALSE(summary.is_too_narrow());
  summary.groups = 100;  // eighty of a hundred: less than once in a hundred
  EXPECT_TRUE(summary.is_too_narrow());
}

}  // namespace interval_score_test
}  // namespace vgsim::scenario
