#include "models/questions/sweep/point.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "tests/support/scenarios.hpp"
#include "topology/input/json_reader.hpp"

namespace vgsim::scenario {
namespace point_test {

/// With one size to be filled in.
std::string scenario(const std::string& sizes) {
  return R"({"name": "two GPUs", "hosts": {"esx[01-02]": {"server": "dell-r750xa",
      "gpus": "2 x a100-pcie-80gb",
      "nics": {"vmnic4": {"nic": "connectx-6-dx-100g", "near": "gpu0"}}}},
    "job": {"collective": "all_reduce")" +
         (sizes.empty() ? "" : R"(, "sizes": ")" + sizes + "\"") + "}}";
}

input::Value json(const std::string& text) {
  return *input::read_json(input::make_source("text", text));
}

Sweep sweep(const std::string& body) {
  auto read = read_sweep(
      json(R"({"format": "vgsim.sweep/1", "name": "s", "scenario": "a.json", )" + body + "}"));
  if (!read) throw std::runtime_error(input::render(read.error()));
  return *read;
}

PointResult run(const Sweep& of, std::uint64_t index) {
  const auto base = base_of(of, json(scenario("")));
  if (!base) throw std::runtime_error(input::render(base.error()));
  return run_point(of, *base, index, test::library(), cli::loader_relative_to("scenario.json"), {});
}

std::optional<double> figure(const PointResult& point, const std::string& name) {
  for (const Metric& metric : point.layouts.at(0).metrics) {
    if (metric.name == name) return metric.value;
  }
  return std::nullopt;
}

TEST(Point, IsTheScenarioWithItsValues) {
  const auto point = run(sweep(R"("vary": {"/job/sizes": ["1 GiB", "2 GiB"]})"), 1);
  ASSERT_EQ(point.layouts.size(), 1U);
  const auto alone = test::run_one(scenario("2 GiB"));
  EXPECT_EQ(point.layouts[0].fingerprint, alone.fingerprint);
  EXPECT_EQ(figure(point, "time_s@2 GiB"), to_seconds(alone.collective->points[0].time));
  EXPECT_EQ(figure(point, "time_s@1 GiB"), std::nullopt);
}

/// Like the difference of two layouts: 2 GiB takes longer than 1 GiB in each draw.
TEST(Point, DiffersFromAReferenceOverCommonDraws) {
  const Sweep of = sweep(R"("vary": {"/job/sizes": ["1 GiB", "2 GiB"]}, "interval_draws": 20)");
  EXPECT_EQ(of.interval_draws, 20U);
  const auto drawn = [&](std::uint64_t index) {
    const auto base = base_of(of, json(scenario("")));
    return run_point(of, *base, index, test::library(), cli::loader_relative_to("scenario.json"),
                     {}, nullptr, of.interval_draws);
  };
  const PointResult first = drawn(0);
  PointResult second = drawn(1);
  add_differences(first, second);
  const auto& difference = second.layouts.at(0).difference;
  ASSERT_TRUE(difference.has_value());
  EXPECT_EQ(difference->statement, "slower");
  const double more = *figure(second, "time_s@2 GiB") / *figure(first, "time_s@1 GiB") - 1;
  EXPECT_NEAR(difference->more, more, 1e-9);
  EXPECT_EQ(figure(second, "more_than_first"), difference->more);
  EXPECT_EQ(figure(second, "more_than_first_low"), difference->low);
  // Bytes double, latencies do not; both have the same drawn rates.
  EXPECT_GT(difference->low, 0.9);
  EXPECT_LT(difference->high, 1.01);
  PointResult without = run(of, 1);
  add_differences(first, without);
  EXPECT_FALSE(without.layouts.at(0).difference.has_value());
}

TEST(Point, KeepsTheWantedFiguresInTheWantedOrder) {
  const auto point = run(sweep(R"("vary": {"/job/sizes": ["1 GiB"]},
                                  "metrics": ["busbw_GBps@1 GiB", "time_s@1 GiB"])"),
                         0);
  ASSERT_EQ(point.layouts.at(0).metrics.size(), 2U);
  EXPECT_EQ(point.layouts[0].metrics[0].name, "busbw_GBps@1 GiB");
}

TEST(Point, ThatIsNoScenarioSaysWhy) {
  const auto point =
      run(sweep(R"("vary": {"/hosts/*/gpus": ["2 x a100-pcie-80gb", "2 x a1000"]})"), 1);
  EXPECT_EQ(point.failure, PointFailure::kInput);
  ASSERT_FALSE(point.reasons.empty());
  EXPECT_NE(point.reasons[0].find("a1000"), std::string::npos) << point.reasons[0];
  EXPECT_TRUE(point.layouts.empty());
}

TEST(Point, ThatIsTooBigIsAResultToo) {
  const Sweep one = sweep(R"("vary": {"/job/sizes": ["1 GiB"]})");
  RunSettings tight;
  tight.memory_limit = 1;
  const auto point = run_point(one, *base_of(one, json(scenario(""))), 0, test::library(),
                               cli::loader_relative_to("scenario.json"), tight);
  EXPECT_EQ(point.failure, PointFailure::kLimit);
}

TEST(Base, UnknownLayoutsAreRefusedWithTheNearest) {
  const Sweep of = sweep(R"("vary": {}, "layouts": ["vgpuu"])");
  const std::string text =
      R"({"layouts": {"vgpu": {}, "bare": {}}, )" + scenario("1 GiB").substr(1);
  const auto base = base_of(of, json(text));
  ASSERT_FALSE(base);
  EXPECT_NE(input::render(base.error()).find("did you mean \"vgpu\"?"), std::string::npos);
}

TEST(Base, HasOnlyTheWantedLayouts) {
  const Sweep of = sweep(R"("vary": {}, "layouts": ["b"])");
  const std::string text =
      R"({"layouts": {"a": {}, "b": {}, "c": {}}, )" + scenario("1 GiB").substr(1);
  const auto point = run_point(of, *base_of(of, json(text)), 0, test::library(),
                               cli::loader_relative_to("scenario.json"), {});
  ASSERT_EQ(point.layouts.size(), 1U);
  EXPECT_EQ(point.layouts[0].name, "b");
}

TEST(Base, WhereNoPointIsAScenarioTheFirstOnesMistakesAreTold) {
  const Sweep of = sweep(R"("vary": {"/job/batch_per_gup": [1, 2, 3]})");
  const auto base = base_of(of, json(scenario("1 GiB")));
  ASSERT_FALSE(base);
  EXPECT_NE(input::render(base.error()).find("batch_per_gpu"), std::string::npos);
}

TEST(Base, WhereOnePointIsAScenarioTheSweepIsRun) {
  const Sweep of = sweep(R"("vary": {"/job/collective": ["nonsense", "all_gather"]})");
  EXPECT_TRUE(base_of(of, json(scenario("1 GiB"))));
}

}  // namespace point_test
}  // namespace vgsim::scenario
