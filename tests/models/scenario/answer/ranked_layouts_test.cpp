#include "models/scenario/answer/ranked_layouts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "models/scenario/answer/relative_time.hpp"

namespace vgsim::scenario {
namespace {

using Draws = std::vector<std::optional<double>>;

/// A layout that trains 1000 samples in `seconds` seconds, and in the given seconds in each draw.
LayoutResult trains(const std::string& name, double seconds, const Draws& draws,
                    const std::string& network = "bert-large") {
  LayoutResult layout;
  layout.name = name;
  layout.training.emplace();
  layout.training->network = network;
  layout.training->samples = 1000;
  layout.training->training_s = seconds;
  for (const auto& each : draws) {
    layout.drawn_s.push_back(each ? std::optional(*each / 1000) : std::nullopt);
  }
  return layout;
}

/// Draws that vary by half, all layouts alike.
Draws alike(double seconds) {
  Draws draws;
  for (int d = 0; d < 20; ++d) draws.emplace_back(seconds * (1.0 + 0.5 * std::sin(d)));
  return draws;
}

TEST(RankedLayouts, WhatSlowsAllDownAlikeMakesNoDifferenceUncertain) {
  const ScenarioResult result{
      "s", {trains("slow", 103, alike(103)), trains("fast", 100, alike(100))}, {}};
  const auto groups = ranked_groups(result);
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0].fastest(), 1U);
  const Gap& gap = groups[0].layouts[1].gap;
  EXPECT_NEAR(gap.more, 0.03, 1e-12);
  EXPECT_EQ(gap.agree, 20U);
  EXPECT_TRUE(gap.is_slower());
  // The common part cancels in the interval of the difference, which is its value.
  EXPECT_NEAR(gap.low, 0.03, 1e-12);
  EXPECT_NEAR(gap.high, 0.03, 1e-12);
}

TEST(RankedLayouts, AnOrderThatDrawsTurnAroundIsNone) {
  Draws other;
  for (int d = 0; d < 20; ++d) other.emplace_back(d % 3 == 0 ? 95.0 : 110.0);
  const ScenarioResult result{
      "s", {trains("a", 100, Draws(20, 100.0)), trains("b", 105, other)}, {}};
  const auto groups = ranked_groups(result);
  EXPECT_EQ(groups[0].layouts[1].gap.agree, 13U);
  // 95 to 110 against 100: either may be faster, by more than 5 %.
  EXPECT_EQ(groups[0].layouts[1].gap.statement, Statement::kUndecided);
  EXPECT_NEAR(groups[0].layouts[1].gap.low, -0.05, 1e-12);
  EXPECT_NEAR(groups[0].layouts[1].gap.high, 0.10, 1e-12);
  EXPECT_TRUE(groups[0].is_open());
}

/// The paths of pairs measured on one machine, in the order in which they were measured.
TEST(RankedLayouts, APathThatContainsTheOtherIsNotFasterInAnyDraw) {
  using collectives::Transport;
  Draws often_faster;
  for (int d = 0; d < 4; ++d) {
    for (const double seconds : {80.0, 90.0, 120.0, 130.0, 140.0})
      often_faster.emplace_back(seconds);
  }
  for (const auto& [shorter, longer, is_longer] :
       {std::tuple(Transport::kPcieRoot, Transport::kHostStaging, true),
        std::tuple(Transport::kNetwork, Transport::kStagedNetwork, true),
        std::tuple(Transport::kStagedNetwork, Transport::kSocket, true),
        // RDMA between hosts may be faster than copies inside one.
        std::tuple(Transport::kHostStaging, Transport::kNetwork, false),
        std::tuple(Transport::kNetwork, Transport::kEfa, false)}) {
    ScenarioResult result{
        "s", {trains("a", 100, Draws(20, 100.0)), trains("b", 110, often_faster)}, {}};
    result.layouts[0].path = {shorter, {{"dell-xe9680 h100-sxm5-80gb", 16}}, 2, {}, {}, {"tf32"}};
    result.layouts[1].path = {longer, {{"dell-xe9680 h100-sxm5-80gb", 16}}, 2, {}, {}, {"tf32"}};
    const Gap gap = gap_between(result.layouts[0], result.layouts[1]);
    EXPECT_EQ(gap.is_slower(), is_longer);
    EXPECT_NEAR(gap.low, is_longer ? 0.0 : -0.2, 1e-9);
    result.layouts[1].path.error_causes = {"bf16"};
    EXPECT_FALSE(gap_between(result.layouts[0], result.layouts[1]).is_slower());
    result.layouts[1].path = result.layouts[0].path;
    result.layouts[1].path.slowest = longer;
    result.layouts[1].path.hosts = 4;
    EXPECT_FALSE(gap_between(result.layouts[0], result.layouts[1]).is_slower());
  }
}

// On eight RTX 4090 copies through host memory took 7 % less than peer-to-peer at 128 KiB.
TEST(RankedLayouts, SmallMessagesMayBeFasterOnThePathThatContainsTheOther) {
  const auto reduces = [](collectives::Transport slowest, std::int64_t size, std::int64_t time) {
    LayoutResult layout;
    layout.collective.emplace();
    layout.collective->collective = "all_reduce";
    CollectivePoint& point = layout.collective->points.emplace_back();
    point.size = Bytes{size};
    point.time = SimTime{time};
    layout.drawn_s = {0.8e-6, 0.9e-6, 1.2e-6};
    layout.path = {slowest, {{"two-socket rtx-4090", 8}}, 1, {}, {}, {}};
    return layout;
  };
  for (const std::int64_t size : {128 << 10, 1 << 20}) {
    LayoutResult faster = reduces(collectives::Transport::kPcieRoot, size, 1'000'000);
    faster.drawn_s.assign(3, 1e-6);
    const auto slower = reduces(collectives::Transport::kHostStaging, size, 1'100'000);
    EXPECT_EQ(gap_between(faster, slower).is_slower(), size == 1 << 20);
  }
}

TEST(RankedLayouts, AnOrderThatTurnsAroundBySmallAmountsMakesNoDifference) {
  Draws other;
  for (int d = 0; d < 20; ++d) other.emplace_back(d % 3 == 0 ? 98.0 : 102.0);
  const ScenarioResult result{
      "s", {trains("a", 100, Draws(20, 100.0)), trains("b", 101, other)}, {}};
  EXPECT_EQ(ranked_groups(result)[0].layouts[1].gap.statement, Statement::kNoDifference);
}

/// Student's t of 7 degrees of freedom: 1.8946 at 95 %; the next of eight values around 1 with a
/// standard deviation of 0.1 in logarithms is within 1.8946 x 0.1 x sqrt(1 + 1/8).
TEST(RankedLayouts, FewDrawsHaveTheIntervalOfStudentsT) {
  const double deviation = 0.1 * std::sqrt(7.0 / 8.0);
  Draws draws;
  for (int d = 0; d < 8; ++d)
    draws.emplace_back(100 * std::exp(d % 2 == 0 ? deviation : -deviation));
  const Gap gap = gap_between(trains("a", 100, Draws(8, 100.0)), trains("b", 100, draws));
  EXPECT_NEAR(gap.low, std::exp(-1.8946 * 0.1 * std::sqrt(1.125)) - 1, 1e-4);
  EXPECT_NEAR(gap.high, std::exp(1.8946 * 0.1 * std::sqrt(1.125)) - 1, 1e-4);
}

TEST(RelativeTime, OfExchangedSidesIsTheInverse) {
  const DrawnTime a{100.0, alike(100)};
  DrawnTime b{150.0, {}};
  for (int d = 0; d < 20; ++d)
    b.drawn_s.emplace_back(*a.drawn_s[static_cast<std::size_t>(d)] * (1.5 + 0.01 * (d % 7)));
  const auto longer = relative_time(a, b);
  const auto shorter = relative_time(b, a);
  ASSERT_TRUE(longer && shorter);
  EXPECT_NEAR((1 + longer->more) * (1 + shorter->more), 1, 1e-12);
  EXPECT_NEAR((1 + longer->low) * (1 + shorter->high), 1, 1e-12);
  EXPECT_NEAR((1 + longer->high) * (1 + shorter->low), 1, 1e-12);
  EXPECT_EQ(longer->statement, "slower");
  EXPECT_EQ(shorter->statement, "faster");
  EXPECT_FALSE(relative_time(a, {150.0, {}})) << "no draws";
  EXPECT_FALSE(relative_time({}, a)) << "did not run";
}

TEST(RankedLayouts, LessThanHalfAPercentIsNoDifferenceHoweverSure) {
  const ScenarioResult result{"s",
                              {trains("a", 1000, alike(1000)), trains("b", 1004, alike(1004)),
                               trains("c", 1006, alike(1006))},
                              {}};
  const auto groups = ranked_groups(result);
  EXPECT_EQ(groups[0].layouts[1].gap.statement, Statement::kNoDifference);
  EXPECT_TRUE(groups[0].layouts[2].gap.is_slower());
}

TEST(RankedLayouts, DrawsThatOneOfThemCannotRunCountForNothing) {
  Draws holes = alike(110);
  holes[3] = holes[7] = std::nullopt;
  const ScenarioResult result{"s", {trains("a", 100, alike(100)), trains("b", 110, holes)}, {}};
  EXPECT_EQ(ranked_groups(result)[0].layouts[1].gap.draws, 18U);
  EXPECT_TRUE(ranked_groups(result)[0].layouts[1].gap.is_slower());
}

TEST(RankedLayouts, AreOnlyAmongLayoutsThatDoTheSameWork) {
  LayoutResult refused;
  refused.name = "refused";
  refused.refused = true;
  const ScenarioResult result{
      "s",
      {trains("a", 100, {}), refused, trains("b", 50, {}, "resnet-50"), trains("c", 90, {})},
      {}};
  const auto groups = ranked_groups(result);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].work, "bert-large");
  EXPECT_EQ(groups[0].fastest(), 3U);
  EXPECT_EQ(groups[1].work, "resnet-50");
  EXPECT_EQ(groups[1].layouts.size(), 1U);
}

TEST(RankedLayouts, WithoutDrawsNothingIsSaidOfCertainty) {
  const ScenarioResult result{"s", {trains("a", 100, {}), trains("b", 120, {})}, {}};
  const Gap gap = ranked_groups(result)[0].layouts[1].gap;
  EXPECT_EQ(gap.draws, 0U);
  EXPECT_TRUE(gap.is_slower());
}

}  // namespace
}  // namespace vgsim::scenario
