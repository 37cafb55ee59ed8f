#include "models/questions/read/training_bars.hpp"

#include <gmock/gmock.h>

namespace vgsim::scenario {
namespace training_bars_test {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

tl::expected<TrainingBars, input::Diagnostics> read(const std::string& keys) {
  return read_training_bars(
      input::make_source("bars.json", R"({"format": "vgsim.training-bars/1", )" + keys + "}"));
}

std::string errors_in(const std::string& keys) {
  const auto bars = read(keys);
  return bars ? "" : input::render(bars.error());
}

TrainingError off(double error, bool hard = false) {
  TrainingError point;
  point.error = error;
  point.hard = hard;
  return point;
}

/// Eleven points with errors of 0 to 10 %, the last two hard to scale; and one case of grade C.
std::vector<TrainingErrors> eleven_points() {
  TrainingErrors measured{"llama", true, {}, 0};
  for (int percent = 0; percent <= 8; ++percent) measured.points.push_back(off(0.01 * percent));
  measured.points.push_back(off(-0.09, true));
  measured.points.push_back(off(0.10, true));
  return {measured, {"odd", false, {off(5.0)}, 3}};
}

std::vector<std::string> missed(const std::string& keys) {
  const auto bars = read(keys);
  EXPECT_TRUE(bars) << (bars ? "" : input::render(bars.error()));
  return missed_training_bars(eleven_points(), *bars);
}

TEST(TrainingBars, AreMetAtTheLimit) {
  // The median of 0 to 10 % is 5 %, nine in ten are at most 9 %; of 9 and 10 % 9.5 and 10 %.
  EXPECT_THAT(missed(R"("groups": {"all": {"median": 0.05, "p90": 0.09, "points": 11},
                                   "hard": {"median": 0.095, "p90": 0.1}},
                        "cases": {"llama": {"median": 0.05}})"),
              IsEmpty());
}

TEST(TrainingBars, WhatIsMissedIsToldWithItsValue) {
  EXPECT_THAT(missed(R"("groups": {"all": {"median": 0.0499, "p90": 0.0899},
                                   "hard": {"median": 0.09}})"),
              ElementsAre("all: median 5 % for 4.99 % at most",
                          "all: 90th percentile 9 % for 8.99 % at most",
                          "hard: median 9.5 % for 9 % at most"));
}

TEST(TrainingBars, PointsThatVanishAreAMiss) {
  EXPECT_THAT(missed(R"("groups": {"all": {"points": 12, "median": 0.04}},
                        "cases": {"gone": {"median": 0}})"),
              ElementsAre("all: 11 points for 12 at least", "all: median 5 % for 4 % at most",
                          "gone: 0 points for 1 at least"));
}

TEST(TrainingBars, PointsThatFailToRunAreAMissUnlessTheirCaseDoesNotCount) {
  auto cases = eleven_points();
  const auto bars = read(R"("groups": {}, "not_run": 1)");
  cases[0].not_run = 1;
  EXPECT_THAT(missed_training_bars(cases, *bars), IsEmpty());
  cases[0].not_run = 2;
  EXPECT_THAT(missed_training_bars(cases, *bars),
              ElementsAre("2 points could not be run, for 1 at most"));
}

// Of points that have no anchor the null model says nothing: they do not count here. The others
// are 2 and 6 % off, 4 % in the middle, the null model 10 %.
TEST(TrainingBars, TheNullModelIsBeatenByAsMuchAsIsAsked) {
  TrainingErrors measured{"llama", true, {off(0.5), off(0.02), off(0.06)}, 0};
  measured.points[1].null_error = -0.1;
  measured.points[2].null_error = 0.1;
  const auto judge = [&](const std::string& share) {
    return missed_training_bars(
        {measured}, *read(R"("groups": {"data_parallel": {"of_null": )" + share + "}}"));
  };
  EXPECT_THAT(judge("0.4"), IsEmpty());
  EXPECT_THAT(judge("0.39"),
              ElementsAre("data_parallel: median 4 % for 39 % of the null model's 10 % at most"));
  measured.points.resize(1);
  EXPECT_THAT(judge("1"), ElementsAre(HasSubstr("no point to compare")));
}

TEST(TrainingBars, AreReadStrictly) {
  EXPECT_THAT(errors_in(R"("groups": {"all": {"medain": 0.1, "p90": -1}})"),
              AllOf(HasSubstr("bars.json:1:"), HasSubstr("/groups/all/medain"),
                    HasSubstr("did you mean \"median\"?"), HasSubstr("/groups/all/p90"),
                    HasSubstr("2 errors")));
  EXPECT_THAT(errors_in(R"("groups": {}, "cases": {"a": {"points": 0}})"),
              HasSubstr("/cases/a/points"));
  EXPECT_THAT(errors_in(R"("groups": {"shraded": {}})"),
              AllOf(HasSubstr("/groups/shraded"), HasSubstr("did you mean \"sharded\"?")));
  EXPECT_THAT(errors_in(R"("cases": {})"), HasSubstr("missing key \"groups\""));
}

TEST(TrainingBars, ErrorsAreOfMeasuredPointsThatAreNoAnchors) {
  TrainingCase measured{"a", "a", "A", {}};
  TrainingSeries& series = measured.series.emplace_back();
  std::vector<TrainingScore> scores(5);
  series.points.resize(5);
  for (TrainingPoint& point : series.points) point.value = 100.0;
  for (TrainingScore& score : scores) score.predicted = 110.0;
  series.points[0].anchor = true;
  series.points[1].value.reset();
  series.points[2].left_out = "a reason";
  scores[3].predicted.reset();
  scores[4].keeps_batch = true;
  scores[4].efficiency = 0.89;
  scores[4].as_anchor = 112.0;
  const TrainingErrors errors = errors_of(measured, {scores});
  ASSERT_EQ(errors.points.size(), 1u);
  EXPECT_NEAR(errors.points[0].error, 0.1, 1e-12);
  EXPECT_NEAR(*errors.points[0].null_error, 0.12, 1e-12);
  EXPECT_TRUE(errors.points[0].hard);
  EXPECT_EQ(errors.not_run, 1u);
  scores[4].efficiency = 0.9;
  EXPECT_FALSE(errors_of(measured, {scores}).points[0].hard);
}

}  // namespace training_bars_test
}  // namespace vgsim::scenario
