#include "models/questions/read/virtual_case.hpp"

#include <gmock/gmock.h>

#include "models/questions/read/virtual_bars.hpp"

namespace vgsim::scenario {
namespace virtual_case_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const std::string kHead = R"({"format": "vgsim.virtual-case/1", "id": "one", "title": "A slice",
    "kind": "mig", "grade": "A", "source": {"url": "https://example.org"}, "noise": 0.02,
    "score": "ratio", "machines": {"gpu": {"server": "generic-1gpu", "gpus": "1 x a100-pcie-80gb"}},
    "scenario": {"name": "one", "job": {"network": "resnet-50", "batch_per_gpu": 8}},
    "series": [)";

const std::string kWhole =
    R"({"patch": {"use": {"machine": "gpu", "hosts": 1}}, "value": 100, "given": true, "null": 1,
        "at": {"point": 0}})";
const std::string kSlice =
    R"({"patch": {"use": {"machine": "gpu", "hosts": 1}, "vms": {"vm1": {"host": "n1",
        "gpus": {"mode": "vgpu", "count": 1, "profile": "grid_a100d-1-10c"}}}}, "value": 14,
        "null": 0.142857, "at": {"series": "of the source", "point": 3}})";

tl::expected<VirtualCase, input::Diagnostics> read(const std::string& series) {
  return read_virtual_case(input::make_source("one.json", kHead + series + "]}"));
}

std::string series_of(const std::string& points) {
  return R"({"id": "slices", "metric": "samples_per_s", "points": [)" + points + "]}";
}

std::string errors_in(const std::string& series) {
  const auto one = read(series);
  return one ? "" : input::render(one.error());
}

TEST(VirtualCases, ArePointsWithTheirScenario) {
  const auto one = read(series_of(kWhole + ", " + kSlice));
  ASSERT_TRUE(one) << input::render(one.error());
  EXPECT_EQ(one->kind, "mig");
  EXPECT_TRUE(one->is_ratio);
  ASSERT_THAT(one->series, SizeIs(1));
  ASSERT_THAT(one->series[0].points, SizeIs(2));
  const VirtualPoint& slice = one->series[0].points[1];
  EXPECT_EQ(slice.source_series, "of the source");
  EXPECT_EQ(slice.source_point, 3u);
  EXPECT_EQ(one->series[0].points[0].source_series, "slices");
  EXPECT_NEAR(*null_of(*one, one->series[0], slice), 14.2857, 1e-4);
}

TEST(VirtualCases, OfRatiosHaveOneGivenPoint) {
  EXPECT_THAT(errors_in(series_of(kSlice)), HasSubstr("0 given points with a value"));
  EXPECT_THAT(errors_in(series_of(kWhole + ", " + kWhole)), HasSubstr("2 given points"));
}

TEST(VirtualCases, AreReadStrictly) {
  EXPECT_THAT(errors_in(series_of(kWhole) + ", " + series_of(kWhole)),
              HasSubstr("a second series is called \"slices\""));
  std::string other = kWhole;
  other.replace(other.find("\"gpu\""), 5, "\"gpv\"");
  EXPECT_THAT(errors_in(series_of(other)), HasSubstr("gpv"));
  std::string unknown = kWhole;
  unknown.replace(unknown.find("\"null\""), 6, "\"nul\"");
  EXPECT_THAT(errors_in(series_of(unknown)), HasSubstr("unknown key \"nul\""));
}

TEST(VirtualScores, OfABoundAreRightBeyondIt) {
  VirtualPoint point;
  point.value = 35.0;
  point.at_least = true;
  EXPECT_EQ(VirtualScore::error(point, 40.0), 0.0);
  EXPECT_NEAR(*VirtualScore::error(point, 28.0), -0.2, 1e-12);
  point.given = true;
  EXPECT_EQ(VirtualScore::error(point, 40.0), std::nullopt);
}

/// Two series of three points each: the given one, and two that are predicted 10 % and 50 % off.
std::vector<VirtualErrors> errors_of_two() {
  VirtualCase measured{"one", "share", "A", 0.02, true, {}};
  std::vector<std::vector<VirtualScore>> scores;
  for (int s = 0; s < 2; ++s) {
    VirtualSeries& series = measured.series.emplace_back();
    series.metric = "samples_per_s";
    series.points.resize(3);
    const double values[] = {100, 50, 51};  // the last two differ by the noise alone
    for (std::size_t p = 0; p < 3; ++p) {
      series.points[p].value = values[p];
      series.points[p].null_model = 1.0;
    }
    series.points[0].given = true;
    scores.push_back({{100.0, ""}, {55.0, ""}, {25.5, ""}});
  }
  return errors_of({measured}, {scores});
}

TEST(VirtualErrors, StandBesideTheNullModelAndTheOrderOfAlternatives) {
  const auto errors = errors_of_two();
  ASSERT_THAT(errors, SizeIs(1));
  EXPECT_THAT(errors[0].errors, SizeIs(4));
  EXPECT_NEAR(errors[0].errors[0], 0.1, 1e-12);
  EXPECT_NEAR(errors[0].errors[1], -0.5, 1e-12);
  EXPECT_NEAR(errors[0].null_errors[0], 1.0, 1e-12);
  // Of each series the given one against both others; those two are as good as the same.
  EXPECT_EQ(errors[0].pairs, 4u);
  EXPECT_EQ(errors[0].in_order, 4u);
}

std::vector<std::string> missed(const std::string& keys) {
  const auto bars = read_virtual_bars(
      input::make_source("bars.json", R"({"format": "vgsim.virtual-bars/1", )" + keys + "}"));
  EXPECT_TRUE(bars) << (bars ? "" : input::render(bars.error()));
  return missed_virtual_bars(errors_of_two(), *bars);
}

TEST(VirtualBars, AreHeldByKind) {
  EXPECT_THAT(missed(R"("kinds": {"share": {"median": 0.31, "points": 4}}, "in_order": 1.0)"),
              IsEmpty());
  EXPECT_THAT(missed(R"("kinds": {"share": {"median": 0.29}, "mig": {}})"),
              ElementsAre("share: median 30 % for 29 % at most", "mig: 0 points for 1 at least"));
}

}  // namespace virtual_case_test
}  // namespace vgsim::scenario
