#include "models/scoring/errors.hpp"

#include <gmock/gmock.h>

#include "models/scoring/read/stored_score.hpp"
#include "models/scoring/score_file.hpp"
#include "tests/models/scoring/scored.hpp"
#include "topology/input/json_reader.hpp"

namespace vgsim::scoring {
namespace errors_test {

using examples::point;
using examples::scored;
using examples::summary;
using ::testing::ElementsAre;

TEST(Errors, OfOneCaseAreOverItsPoints) {
  Point far = point(0.30);
  far.label = "1 GiB";
  const auto found = summary({scored("one", "a", {point(-0.10), point(0.02), far})});
  EXPECT_EQ(found.points, 3U);
  EXPECT_DOUBLE_EQ(found.signed_median, 0.02);
  EXPECT_DOUBLE_EQ(found.median, 0.10);
  EXPECT_DOUBLE_EQ(found.p90, 0.30);
  EXPECT_DOUBLE_EQ(found.worst, 0.30);
  EXPECT_EQ(found.worst_at, "1 GiB");
  EXPECT_DOUBLE_EQ(found.too_low, 1.0 / 3.0);
  EXPECT_DOUBLE_EQ(found.median_factor, 1.0 / 0.9) << "a factor is symmetric";
  EXPECT_EQ(summary({}).points, 0U);
}

const std::vector<ScoredCase>& three_machines() {
  static const std::vector<ScoredCase> cases = {
      scored("often", "often", {point(0.5), point(0.5), point(0.5), point(-0.6), point(0.5)}),
      scored("once", "once", {point(-0.1)}), scored("twice", "twice", {point(0.1), point(0.3)})};
  return cases;
}

TEST(Errors, AMachineThatWasMeasuredOftenCountsOnce) {
  // Group medians of |error|: 0.5, 0.1 and 0.2; over points it is 0.5.
  const auto found = summary(three_machines());
  EXPECT_EQ(found.groups, 3U);
  EXPECT_EQ(found.points, 8U);
  EXPECT_DOUBLE_EQ(found.median, 0.2);
  EXPECT_DOUBLE_EQ(found.signed_median, 0.2);  // of 0.5, -0.1 and 0.2
  EXPECT_DOUBLE_EQ(found.p90, 0.5);
  EXPECT_DOUBLE_EQ(found.worst, -0.6);
}

TEST(Errors, OfPointsCountEachOfThem) {
  EXPECT_DOUBLE_EQ(summary(three_machines(), kAll, Weighting::kPoints).median, 0.5);
}

TEST(Errors, CasesThatDoNotCountAreInNoSummary) {
  ScoredCase broken = scored("broken", "a", {point(9.0)});
  broken.head.counts = false;
  broken.head.class_name = "acs-on";
  const std::vector<ScoredCase> cases = {scored("sound", "b", {point(0.1)}), broken};
  EXPECT_DOUBLE_EQ(summary(cases).worst, 0.1);
  EXPECT_THAT(classes_of(cases), ElementsAre("nvswitch"));
}

TEST(Errors, APartHasThePointsWithAllItsTags) {
  ScoredCase several = scored("several", "b", {point(0.4, {"large"})});
  several.prediction.tags = {"several_nodes"};
  const std::vector<ScoredCase> cases = {
      scored("one", "a", {point(0.2, {"medium"}), point(0.1, {"large"})}), several};
  EXPECT_DOUBLE_EQ(summary(cases, "large/one_node").median, 0.1);
  EXPECT_DOUBLE_EQ(summary(cases, "large/several_nodes").median, 0.4);
  EXPECT_EQ(summary(cases, "medium/several_nodes").points, 0U);
  EXPECT_EQ(summary(cases, "all/one_node").points, 2U);
  EXPECT_DOUBLE_EQ(summary(cases, "nvswitch/large").median, 0.25) << "a class is a tag";
  EXPECT_EQ(part_text("large/one_node"), "large, one node");
}

// Anchors are not scored. A point without a prediction is missing, unless it is left out with a
// reason or was not measured.
TEST(Errors, AreOfMeasuredPointsThatWerePredicted) {
  std::vector<Point> points(5, point(0.1));
  points[0].role = Role::kGiven;
  points[1].role = Role::kBlind;
  points[1].error.reset();
  points[2].role = Role::kLeftOut;
  points[2].error.reset();
  points[3].error.reset();
  const auto found = summary({scored("one", "a", points)});
  EXPECT_EQ(found.points, 1U);
  EXPECT_EQ(found.not_run, 1U);
}

TEST(Errors, AreComparedWithTheNullModelWhereItPredictsSomething) {
  std::vector<Point> points = {point(0.5), point(0.02), point(0.06)};
  points[1].null_error = -0.1;
  points[2].null_error = 0.2;
  const auto null = summary({scored("one", "a", points)}).null_model.value();
  EXPECT_EQ(null.points, 2U);
  EXPECT_DOUBLE_EQ(null.own_median, 0.04);
  EXPECT_NEAR(null.median, 0.15, 1e-12);
  EXPECT_DOUBLE_EQ(null.p90, 0.2);
}

// Three points: the given one, and two that differ by the noise only.
TEST(Errors, PairsThatDifferByTheNoiseHaveNoOrder) {
  std::vector<Point> points(3, point(0.0));
  const double values[] = {100, 50, 51};
  const double predicted[] = {100, 55, 25.5};
  for (std::size_t p = 0; p < 3; ++p) {
    points[p].measured = values[p];
    points[p].predicted = predicted[p];
  }
  points[0].role = Role::kGiven;
  ScoredCase one = scored("one", "a", points);
  EXPECT_EQ(summary({one}).pairs, 0U) << "the noise is unknown";
  one.head.noise = 0.02;
  EXPECT_EQ(summary({one}).pairs, 2U);
  EXPECT_EQ(summary({one}).in_order, 2U);
}

TEST(Errors, EightPointsOfACaseHaveARankCorrelation) {
  std::vector<Point> points;
  for (int p = 0; p < 8; ++p) {
    points.push_back(point(0.0));
    points.back().measured = p;
    points.back().predicted = p == 0 ? 1.5 : p;  // second, and the second one first
  }
  const ScoredCase eight = scored("eight", "a", points);
  // Two ranks are off by 1: 1 - 6 * 2 / (8 * 63).
  EXPECT_DOUBLE_EQ(*summary({eight}).rank_correlation, 1 - 12.0 / 504);
  EXPECT_FALSE(summary({eight, scored("b", "b", points)}).rank_correlation);
  points.pop_back();
  EXPECT_FALSE(summary({scored("seven", "a", points)}).rank_correlation);
}

std::string file_with(double error, const std::optional<Medians>& earlier = {}) {
  return to_json({case_kind("collectives"),
                  {scored("one", "a", {point(error, {"medium"})})},
                  earlier,
                  {},
                  {}});
}

TEST(ScoreFile, HasTheChangeOfAStoredScore) {
  const auto earlier = read_medians(input::make_source("score.json", file_with(0.30)));
  ASSERT_TRUE(earlier) << input::render(earlier.error());
  EXPECT_DOUBLE_EQ(earlier->at(case_key("one")), 0.30);
  EXPECT_DOUBLE_EQ(earlier->at(part_key("medium/one_node")), 0.30);
  EXPECT_DOUBLE_EQ(earlier->at(part_key("nvswitch")), 0.30);
  EXPECT_FALSE(earlier->contains(part_key("large/one_node")));
  const std::string now = file_with(0.20, *earlier);
  const auto document = input::read_json(input::make_source("now.json", now));
  const auto* error = document->member("cases")->value.member("one")->value.member("error");
  EXPECT_NEAR(error->value.member("change")->value.number(), -0.10, 1e-12);
  EXPECT_TRUE(read_medians(input::make_source("now.json", now))) << "can be used as a baseline";
}

}  // namespace errors_test
}  // namespace vgsim::scoring
