#include "models/scoring/read/thresholds.hpp"

#include <gmock/gmock.h>

#include "tests/models/scoring/scored.hpp"

namespace vgsim::scoring {
namespace thresholds_test {

using examples::point;
using examples::scored;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

tl::expected<Thresholds, input::Diagnostics> read(const std::string& keys) {
  return read_thresholds(
      input::make_source("bars.json", R"({"format": "vgsim.bars/2", )" + keys + "}"));
}

std::string errors_in(const std::string& keys) {
  const auto thresholds = read(keys);
  return thresholds ? "" : input::render(thresholds.error());
}

/// Eleven points with errors of 0 to 10 %, the last two hard to scale, and a case that does not
/// count.
std::vector<ScoredCase> eleven_points() {
  std::vector<Point> points;
  for (int percent = 0; percent <= 8; ++percent) points.push_back(point(0.01 * percent));
  points.push_back(point(-0.09, {"hard"}));
  points.push_back(point(0.10, {"hard"}));
  ScoredCase odd = scored("odd", "odd", {point(5.0)});
  odd.head.counts = false;
  return {scored("llama", "llama", points), odd};
}

std::vector<std::string> missed(const std::vector<ScoredCase>& cases, const std::string& keys) {
  const auto thresholds = read(keys);
  EXPECT_TRUE(thresholds) << (thresholds ? "" : input::render(thresholds.error()));
  std::vector<std::string> sentences;
  for (const auto& each : missed_thresholds(cases, Weighting::kPoints, *thresholds)) {
    sentences.push_back(describe(each));
  }
  return sentences;
}

TEST(Thresholds, AreMetAtTheLimit) {
  // The median of 0 to 10 % is 5 %, the 90th percentile 9 %; of 9 and 10 % they are 9.5 and 10 %.
  EXPECT_THAT(missed(eleven_points(),
                     R"("parts": {"all": {"median": 0.05, "p90": 0.09, "points": 11},
                                  "hard": {"median": 0.095, "p90": 0.1}},
                        "cases": {"llama": {"median": 0.05}})"),
              IsEmpty());
}

TEST(Thresholds, ThatAreMissedAreToldWithWhatWasReached) {
  EXPECT_THAT(missed(eleven_points(), R"("parts": {"all": {"median": 0.0499, "p90": 0.0899},
                                                   "hard/one_node": {"median_factor": 1.09}})"),
              ElementsAre("all: median 5 % for 4.99 % at most",
                          "all: 90th percentile 9 % for 8.99 % at most",
                          "hard, one node: median factor x1.099 for x1.09 at most"));
}

TEST(Thresholds, PointsThatVanishAreAMiss) {
  EXPECT_THAT(missed(eleven_points(), R"("parts": {"all": {"points": 12, "median": 0.04},
                                                   "shraded": {"median": 1}},
                                         "cases": {"gone": {"median": 0}})"),
              ElementsAre("all: points 11 for 12 at least", "all: median 5 % for 4 % at most",
                          "shraded: points 0 for 1 at least", "gone: points 0 for 1 at least"));
}

TEST(Thresholds, PointsThatFailToRunAreAMissUnlessTheirCaseDoesNotCount) {
  auto cases = eleven_points();
  Point failed = point(0.0);
  failed.error.reset();
  cases[0].prediction.series[0].points.push_back(failed);
  cases[1].prediction.series[0].points.push_back(failed);
  const std::string keys = R"("parts": {}, "not_run": 1)";
  EXPECT_THAT(missed(cases, keys), IsEmpty());
  cases[0].prediction.series[0].points.push_back(failed);
  EXPECT_THAT(missed(cases, keys), ElementsAre("all: points not run 2 for 1 at most"));
}

TEST(Thresholds, OfIntervalsAreMissedWithoutAny) {
  auto cases = eleven_points();
  const std::string keys = R"("parts": {"all": {"inside": 0.5, "width": 3, "interval_score": 9}})";
  EXPECT_THAT(missed(cases, keys),
              ElementsAre("all: has no share inside the interval",
                          "all: has no width of the interval", "all: has no interval score"));
  cases[0].prediction.series[0].points = {examples::point_in(1, {0.5, 2}),
                                          examples::point_in(1, {2, 8})};
  EXPECT_THAT(missed(cases, keys), ElementsAre("all: width of the interval x4 for x3 at most",
                                               HasSubstr("interval score")));
}

// Points without a prediction of the null model do not count here. The others are off by 2 and 6 %,
// with a median of 4 %, the null model by 10 %.
TEST(Thresholds, TheNullModelIsBeatenByAsMuchAsIsAsked) {
  auto cases = eleven_points();
  auto& points = cases[0].prediction.series[0].points;
  points = {point(0.5), point(0.02), point(0.06)};
  points[1].null_error = -0.1;
  points[2].null_error = 0.1;
  EXPECT_THAT(missed(cases, R"("parts": {"all": {"of_null": 0.4}})"), IsEmpty());
  EXPECT_THAT(missed(cases, R"("parts": {"all": {"of_null": 0.39}})"),
              ElementsAre("all: median over that of the null model 40 % for 39 % at most"));
  points.resize(1);
  EXPECT_THAT(missed(cases, R"("parts": {"all": {"of_null": 1}})"),
              ElementsAre(HasSubstr("has no median over")));
}

TEST(Thresholds, OfTheOrderOfPairs) {
  auto cases = eleven_points();
  auto& points = cases[0].prediction.series[0].points;
  points = {point(0.5), point(0.0), point(-0.5)};  // predicted as 1.5, 1 and 0.5
  points[0].measured = 2.0;
  points[2].measured = 1.5;
  cases[0].head.noise = 0.01;
  EXPECT_THAT(missed(cases, R"("parts": {"all": {"in_order": 0.9}})"),
              ElementsAre("all: pairs in order 66.67 % for 90 % at least"));
}

TEST(Thresholds, AreReadStrictly) {
  EXPECT_THAT(errors_in(R"("parts": {"all": {"medain": 0.1, "p90": -1}})"),
              AllOf(HasSubstr("bars.json:1:"), HasSubstr("/parts/all/medain"),
                    HasSubstr("did you mean \"median\"?"), HasSubstr("/parts/all/p90"),
                    HasSubstr("2 errors")));
  EXPECT_THAT(errors_in(R"("parts": {"small": {"median_factor": 0.5}})"),
              HasSubstr("/parts/small/median_factor"));
  EXPECT_THAT(errors_in(R"("parts": {}, "cases": {"a": {"points": 0}})"),
              HasSubstr("/cases/a/points"));
  EXPECT_THAT(errors_in(R"("cases": {})"), HasSubstr("missing key \"parts\""));
}

}  // namespace thresholds_test
}  // namespace vgsim::scoring
