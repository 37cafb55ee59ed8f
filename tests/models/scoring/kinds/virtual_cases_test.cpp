#include <gmock/gmock.h>

#include "models/scoring/case_kind.hpp"
#include "models/scoring/kinds/job_case.hpp"
#include "tests/support/scenarios.hpp"

namespace vgsim::scoring {
namespace virtual_cases_test {

using ::testing::HasSubstr;
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

tl::expected<JobCase, input::Diagnostics> read(const std::string& series) {
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
  EXPECT_EQ(one->head.class_name, "mig");
  EXPECT_TRUE(one->is_ratio);
  ASSERT_THAT(one->series, SizeIs(1));
  ASSERT_THAT(one->series[0].points, SizeIs(2));
  const JobPoint& slice = one->series[0].points[1];
  EXPECT_EQ(slice.source.series, "of the source");
  EXPECT_EQ(slice.source.point, 3u);
  EXPECT_EQ(one->series[0].points[0].source.series, "slices");
}

TEST(VirtualCases, OfRatiosHaveOneGivenPoint) {
  EXPECT_THAT(errors_in(series_of(kSlice)), HasSubstr("0 given points with a value"));
  EXPECT_THAT(errors_in(series_of(kWhole + ", " + kWhole)), HasSubstr("2 given points"));
}

TEST(VirtualCases, AreReadStrictly) {
  EXPECT_THAT(errors_in(series_of(kWhole) + ", " + series_of(kWhole)),
              HasSubstr("two series have the id \"slices\""));
  std::string other = kWhole;
  other.replace(other.find("\"gpu\""), 5, "\"gpv\"");
  EXPECT_THAT(errors_in(series_of(other)), HasSubstr("gpv"));
  std::string unknown = kWhole;
  unknown.replace(unknown.find("\"null\""), 6, "\"nul\"");
  EXPECT_THAT(errors_in(series_of(unknown)), HasSubstr("unknown key \"nul\""));
}

/// The points of the first series, run.
std::vector<Point> predicted(const std::string& points) {
  const scenario::Library& library = test::library();
  input::Diagnostics diagnostics;
  const std::string text = kHead + series_of(points) + "]}";
  const auto cases = case_kind("virtualization")
                         .read({{input::make_source("one.json", text), {}}}, library, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << input::render(diagnostics);
  return cases.at(0).predict({library, {}})->series.at(0).points;
}

TEST(VirtualCases, OfRatiosAreBroughtToTheGivenPoint) {
  const auto points = predicted(kWhole + ", " + kSlice);
  ASSERT_THAT(points, SizeIs(2));
  EXPECT_NEAR(*points[0].predicted, 100.0, 1e-9);
  EXPECT_EQ(points[0].role, Role::kGiven);
  EXPECT_FALSE(points[0].error) << "it is not scored";
  EXPECT_NEAR(*points[1].error, *points[1].predicted / 14 - 1, 1e-12);
  EXPECT_NEAR(*points[1].null_model, 14.2857, 1e-4);
  EXPECT_NEAR(*points[1].null_error, 0.142857 * 100 / 14 - 1, 1e-9);
}

TEST(VirtualCases, ABoundIsKeptBeyondIt) {
  const auto bounded = [](const std::string& value) {
    std::string slice = kSlice;
    slice.replace(slice.find("\"value\": 14"), 11, R"("bound": "lower", "value": )" + value);
    return *predicted(kWhole + ", " + slice)[1].error;
  };
  EXPECT_EQ(bounded("1"), 0.0);
  EXPECT_LT(bounded("1000"), -0.9);
}

}  // namespace virtual_cases_test
}  // namespace vgsim::scoring
