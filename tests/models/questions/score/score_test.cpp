#include "models/questions/score/score.hpp"

#include <gmock/gmock.h>

#include "models/questions/read/bars.hpp"
#include "models/questions/score/score_file.hpp"
#include "topology/input/json_reader.hpp"

namespace vgsim::scenario {
namespace score_test {

using ::testing::ElementsAre;

constexpr Bytes kMedium{1 << 20};
constexpr Bytes kLarge{1 << 30};

PointError point(Bytes size, double error, bool inside = false) {
  const double low = inside ? 0.5e-3 : 2e-3;  // of an interval four times as high as low
  return {size, 1e-3, 1e-3 * (1.0 + error), low, 4 * low, error, inside};
}

ScoredCase scored(const std::string& id, const std::string& group, std::vector<PointError> errors) {
  ScoredCase result;
  result.measured.id = id;
  result.measured.group = group;
  result.measured.topology_class = "nvswitch";
  result.prediction.nodes = 1;
  result.errors = std::move(errors);
  return result;
}

TEST(Bands, HoldBothReadingsOfTheirUnits) {
  EXPECT_TRUE(is_in(Band::kSmall, Bytes{4096}));
  EXPECT_FALSE(is_in(Band::kSmall, Bytes{4097}));
  EXPECT_TRUE(is_in(Band::kMedium, Bytes{64'000}));
  EXPECT_TRUE(is_in(Band::kMedium, Bytes{64 << 20}));
  EXPECT_FALSE(is_in(Band::kMedium, Bytes{128 << 20}));
  EXPECT_TRUE(is_in(Band::kLarge, Bytes{256'000'000}));
  EXPECT_FALSE(is_in(Band::kLarge, Bytes{128 << 20}));
  EXPECT_TRUE(is_in(Band::kAll, Bytes{128 << 20}));
}

TEST(Score, OfOneCaseIsOverItsPoints) {
  const auto summary = summarize_points(
      {point(kMedium, -0.10, true), point(kMedium, 0.02, true), point(kLarge, 0.30)});
  ASSERT_TRUE(summary);
  EXPECT_DOUBLE_EQ(summary->signed_median, 0.02);
  EXPECT_DOUBLE_EQ(summary->median, 0.10);
  EXPECT_DOUBLE_EQ(summary->p90, 0.30);
  EXPECT_DOUBLE_EQ(summary->worst, 0.30);
  EXPECT_EQ(summary->worst_size, kLarge);
  EXPECT_DOUBLE_EQ(summary->intervals.inside, 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(summary->intervals.width, 4.0);
  EXPECT_DOUBLE_EQ(summary->median_factor, 1.0 / 0.9);
  EXPECT_FALSE(summarize_points({}));
}

TEST(Score, AMachineThatWasMeasuredOftenCountsOnce) {
  // Group medians of |error|: 0.5, 0.1 and 0.2; the points alone would give 0.5.
  const PointsByGroup groups = {{"often",
                                 {point(kMedium, 0.5), point(kMedium, 0.5), point(kMedium, 0.5),
                                  point(kMedium, -0.6), point(kMedium, 0.5)}},
                                {"once", {point(kMedium, -0.1, true)}},
                                {"twice", {point(kMedium, 0.1, true), point(kMedium, 0.3)}}};
  const auto summary = summarize_groups(groups);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->groups, 3U);
  EXPECT_EQ(summary->points, 8U);
  EXPECT_DOUBLE_EQ(summary->median, 0.2);
  EXPECT_DOUBLE_EQ(summary->signed_median, 0.2);  // of 0.5, -0.1 and 0.2
  EXPECT_DOUBLE_EQ(summary->p90, 0.5);
  EXPECT_DOUBLE_EQ(summary->worst, -0.6);
  EXPECT_DOUBLE_EQ(summary->intervals.inside, (0.0 + 1.0 + 0.5) / 3);
}

TEST(Score, CasesOfGradeCAreNoAccuracy) {
  ScoredCase broken = scored("broken", "a", {point(kMedium, 9.0)});
  broken.measured.grade = Grade::kC;
  broken.measured.topology_class = "acs-on";
  const std::vector<ScoredCase> cases = {scored("sound", "b", {point(kMedium, 0.1)}), broken};
  EXPECT_DOUBLE_EQ(band_summary(cases, Band::kMedium, Nodes::kOne)->worst, 0.1);
  EXPECT_THAT(classes_of(cases), ElementsAre("nvswitch"));
  EXPECT_DOUBLE_EQ(case_summary(broken, Band::kAll)->worst, 9.0) << "but they are shown";
}

TEST(Score, SizesAndNodesAreJudgedApart) {
  ScoredCase several = scored("several", "b", {point(kLarge, 0.4)});
  several.prediction.nodes = 2;
  const std::vector<ScoredCase> cases = {
      scored("one", "a", {point(kMedium, 0.2), point(kLarge, 0.1)}), several};
  EXPECT_DOUBLE_EQ(band_summary(cases, Band::kLarge, Nodes::kOne)->median, 0.1);
  EXPECT_DOUBLE_EQ(band_summary(cases, Band::kLarge, Nodes::kSeveral)->median, 0.4);
  EXPECT_FALSE(band_summary(cases, Band::kMedium, Nodes::kSeveral));
  EXPECT_DOUBLE_EQ(class_summary(cases, "nvswitch", Band::kLarge)->median, 0.25);
}

/// The bars of this text, which must be sound.
std::vector<Bar> bars(const std::string& bands) {
  return read_bars(input::make_source("bars.json",
                                      R"({"format": "vgsim.bars/1", "bands": )" + bands + "}"))
      .value();
}

TEST(Bars, AreMissedBeyondTheirLimitAndWhereNothingWasMeasured) {
  const std::vector<ScoredCase> cases = {
      scored("one", "a", {point(kMedium, 0.25, true), point(kMedium, 0.25)})};
  const auto met = bars(R"({"medium": {"one_node": {"median": 0.25, "p90": 0.3, "inside": 0.5,
                                                     "median_factor": 1.25}}})");
  EXPECT_EQ(met.size(), 4U);
  EXPECT_TRUE(missed_bars(cases, met).empty()) << "limits are included";
  const auto missed = missed_bars(cases, bars(R"({
      "medium": {"one_node": {"median": 0.24, "inside": 0.51}},
      "large": {"several_nodes": {"p90": 0.5}}})"));
  ASSERT_EQ(missed.size(), 3U);
  EXPECT_STREQ(missed[0].bar.quantity->name, "median");
  EXPECT_DOUBLE_EQ(missed[0].value.value(), 0.25);
  EXPECT_STREQ(missed[1].bar.quantity->name, "inside");
  EXPECT_FALSE(missed[2].value) << "no case has large messages on several nodes";
}

TEST(Bars, AreReadStrictly) {
  const auto read = read_bars(input::make_source("bars.json",
                                                 R"({"format": "vgsim.bars/1",
          "bands": {"medum": {}, "small": {"one_node": {"median_factor": 0.5}}}})"));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().items().size(), 2U);
}

TEST(ScoreFile, TellsTheChangeOfAStoredScore) {
  const auto file = [](double error) {
    return to_json({scored("one", "a", {point(kMedium, error)})}, {}, {});
  };
  const auto earlier = read_medians(input::make_source("score.json", file(0.30)));
  ASSERT_TRUE(earlier) << input::render(earlier.error());
  EXPECT_DOUBLE_EQ(earlier->at(case_key("one")), 0.30);
  EXPECT_DOUBLE_EQ(earlier->at(band_key(Band::kMedium, Nodes::kOne)), 0.30);
  EXPECT_DOUBLE_EQ(earlier->at(class_key("nvswitch")), 0.30);
  EXPECT_FALSE(earlier->contains(band_key(Band::kLarge, Nodes::kOne)));
  const std::string now = to_json({scored("one", "a", {point(kMedium, 0.20)})}, *earlier, {});
  const auto document = input::read_json(input::make_source("now.json", now));
  const auto* error = document->member("cases")->value.member("one")->value.member("error");
  EXPECT_NEAR(error->value.member("change")->value.number(), -0.10, 1e-12);
  EXPECT_TRUE(read_medians(input::make_source("now.json", now))) << "can be a baseline in turn";
}

}  // namespace score_test
}  // namespace vgsim::scenario
