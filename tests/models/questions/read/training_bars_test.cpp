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

/// Eleven points with errors of 0 to 10 %, the last two hard to scale; and one case of grade C.
std::vector<TrainingErrors> eleven_points() {
  TrainingErrors measured{"llama", true, {}, {-0.09, 0.10}, 0};
  for (int percent = 0; percent <= 8; ++percent) measured.all.push_back(0.01 * percent);
  measured.all.insert(measured.all.end(), measured.hard.begin(), measured.hard.end());
  return {measured, {"odd", false, {5.0}, {}, 3}};
}

std::vector<std::string> missed(const std::string& keys) {
  const auto bars = read(keys);
  EXPECT_TRUE(bars) << (bars ? "" : input::render(bars.error()));
  return missed_training_bars(eleven_points(), *bars);
}

TEST(TrainingBars, AreMetAtTheLimit) {
  // The median of 0 to 10 % is 5 %, nine in ten are at most 9 %; of 9 and 10 % 9.5 and 10 %.
  EXPECT_THAT(missed(R"("all": {"median": 0.05, "p90": 0.09, "points": 11},
                        "hard_to_scale": {"median": 0.095, "p90": 0.1},
                        "cases": {"llama": {"median": 0.05}})"),
              IsEmpty());
}

TEST(TrainingBars, WhatIsMissedIsToldWithItsValue) {
  EXPECT_THAT(missed(R"("all": {"median": 0.0499, "p90": 0.0899},
                        "hard_to_scale": {"median": 0.09})"),
              ElementsAre("all: median 5 % for 4.99 % at most",
                          "all: 90th percentile 9 % for 8.99 % at most",
                          "hard to scale: median 9.5 % for 9 % at most"));
}

TEST(TrainingBars, PointsThatVanishAreAMiss) {
  EXPECT_THAT(missed(R"("all": {"points": 12, "median": 0.04}, "hard_to_scale": {},
                        "cases": {"gone": {"median": 0}})"),
              ElementsAre("all: 11 points for 12 at least", "all: median 5 % for 4 % at most",
                          "gone: 0 points for 1 at least"));
}

TEST(TrainingBars, PointsThatFailToRunAreAMissUnlessTheirCaseDoesNotCount) {
  auto cases = eleven_points();
  const auto bars = read(R"("all": {}, "hard_to_scale": {}, "not_run": 1)");
  cases[0].not_run = 1;
  EXPECT_THAT(missed_training_bars(cases, *bars), IsEmpty());
  cases[0].not_run = 2;
  EXPECT_THAT(missed_training_bars(cases, *bars),
              ElementsAre("2 points could not be run, for 1 at most"));
}

TEST(TrainingBars, AreReadStrictly) {
  EXPECT_THAT(
      errors_in(R"("all": {"medain": 0.1, "p90": -1}, "hard_to_scale": {})"),
      AllOf(HasSubstr("bars.json:1:"), HasSubstr("/all/medain"),
            HasSubstr("did you mean \"median\"?"), HasSubstr("/all/p90"), HasSubstr("2 errors")));
  EXPECT_THAT(errors_in(R"("all": {}, "hard_to_scale": {}, "cases": {"a": {"points": 0}})"),
              HasSubstr("/cases/a/points"));
  EXPECT_THAT(errors_in(R"("all": {})"), HasSubstr("missing key \"hard_to_scale\""));
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
  const TrainingErrors errors = errors_of(measured, {scores});
  ASSERT_EQ(errors.all.size(), 1u);
  EXPECT_NEAR(errors.all[0], 0.1, 1e-12);
  EXPECT_EQ(errors.hard, errors.all);
  EXPECT_EQ(errors.not_run, 1u);
  scores[4].efficiency = 0.9;
  EXPECT_THAT(errors_of(measured, {scores}).hard, IsEmpty());
}

}  // namespace training_bars_test
}  // namespace vgsim::scenario
