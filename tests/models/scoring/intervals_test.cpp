#include <gtest/gtest.h>

#include <cmath>

#include "sim/portable_math.hpp"
#include "tests/models/scoring/scored.hpp"

namespace vgsim::scoring {
namespace intervals_test {

using examples::point_in;
using examples::scored;

IntervalSummary intervals_of(const std::vector<ScoredCase>& cases) {
  return examples::summary(cases).intervals.value();
}

double score_of(double measured) {
  return intervals_of({scored("a", "a", {point_in(measured, {2, 4})})}).score;
}

TEST(IntervalScore, IsTheWidthOfWhatHoldsAndTwentyTimesHowFarTheOthersAreOutside) {
  // Gneiting and Raftery: (u - l) + 2/0.1 (l - x) below, + 2/0.1 (x - u) above; here of logarithms.
  EXPECT_NEAR(score_of(3), 2.0, 1e-12);
  EXPECT_NEAR(score_of(1.9), 2.0 * std::pow(2 / 1.9, 20), 1e-9);
  EXPECT_NEAR(score_of(4.1), 2.0 * std::pow(4.1 / 4, 20), 1e-9);
  EXPECT_FALSE(examples::summary({scored("a", "a", {examples::point(0.1)})}).intervals);
}

TEST(IntervalScore, AMeasurementOnTheEdgeOfTheIntervalIsInside) {
  const auto inside = [](double measured) {
    return intervals_of({scored("a", "a", {point_in(measured, {2, 4})})}).inside;
  };
  EXPECT_EQ(inside(2), 1.0);
  EXPECT_EQ(inside(4), 1.0);
  EXPECT_EQ(inside(1.99), 0.0);
}

TEST(IntervalScore, CountsAMachineOnceHoweverOftenItWasMeasured) {
  const Point outside = point_in(1, {2, 4});
  const auto summary = intervals_of({scored("often", "often", {outside, outside, outside, outside}),
                                     scored("once", "once", {point_in(1, {0.9, 1.2})})});
  EXPECT_EQ(summary.groups, 2U);
  EXPECT_DOUBLE_EQ(summary.inside, 0.5);
}

TEST(IntervalScore, IsLeastForTheIntervalThatLeavesOneInTwentyAtEitherEnd) {
  const auto summary_of = [](double z) {
    std::vector<Point> points;
    for (int i = 0; i < 2000; ++i) {
      points.push_back(point_in(std::exp(0.1 * normal_quantile((i + 0.5) / 2000)),
                                {std::exp(-0.1 * z), std::exp(0.1 * z)}));
    }
    return intervals_of({scored("a", "a", points)});
  };
  const auto right = summary_of(1.6449);
  EXPECT_NEAR(right.inside, 0.9, 1e-3);
  EXPECT_LT(right.score, summary_of(1.3).score);
  EXPECT_LT(right.score, summary_of(2.1).score);
}

TEST(IntervalScore, FewMachinesSayLittle) {
  IntervalSummary summary;
  summary.inside = 0.8;
  summary.groups = 10;  // eight of ten: at least as likely as one in five
  EXPECT_FALSE(summary.is_too_narrow());
  summary.groups = 100;  // eighty of a hundred: less than once in a hundred
  EXPECT_TRUE(summary.is_too_narrow());
}

}  // namespace intervals_test
}  // namespace vgsim::scoring
