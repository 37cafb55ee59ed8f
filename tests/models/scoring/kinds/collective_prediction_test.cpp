#include "models/scoring/kinds/collective_prediction.hpp"

#include <gmock/gmock.h>

#include "tests/support/scenarios.hpp"
#include "topology/input/json_reader.hpp"

namespace vgsim::scoring {
namespace collective_prediction_test {

using ::testing::HasSubstr;

constexpr const char* kScenario = R"({ "name": "n", "hosts": { "esx01": {
    "server": "dell-xe9680", "gpus": "8 x h100-sxm5-80gb" } },
    "job": { "collective": "all_reduce" } })";

/// A case with this scenario, points and further keys.
std::string case_text(const std::string& scenario, const std::string& points,
                      const std::string& more = "") {
  return R"({ "format": "vgsim.case/1", "id": "x", "title": "x", "class": "nvswitch", "grade": "A",
      "source": { "url": "https://example.org", "date": "2026" }, "scenario": )" +
         scenario + R"(, "points": )" + points + more + "}";
}

tl::expected<CollectivePrediction, input::Diagnostics> try_predict(
    const std::string& text, const input::FileLoader& load = nullptr) {
  const auto document = input::read_json(input::make_source("case.json", text));
  if (!document) return tl::unexpected(document.error());
  const auto measured = read_case(*document);
  if (!measured) return tl::unexpected(measured.error());
  return predict(*measured, test::library(), load);
}

std::string errors_of(const std::string& text, const input::FileLoader& load = nullptr) {
  const auto prediction = try_predict(text, load);
  return prediction ? std::string() : input::render(prediction.error());
}

constexpr const char* kOnePoint = R"([{ "size": "1 GiB", "time": "4 ms" }])";

TEST(Predict, GivesWhatTheScenarioGivesAtTheSizesOfThePoints) {
  const auto prediction =
      try_predict(case_text(kScenario, R"([{ "size": "1 GiB" }, { "size": "8 B" }])"));
  ASSERT_TRUE(prediction) << input::render(prediction.error());
  EXPECT_EQ(prediction->ranks, 8U);
  EXPECT_EQ(prediction->nodes, 1U);
  const scenario::LayoutResult run = test::run_one(R"({ "name": "n", "hosts": { "esx01": {
      "server": "dell-xe9680", "gpus": "8 x h100-sxm5-80gb" } },
      "job": { "collective": "all_reduce", "sizes": ["1 GiB", "8 B"] } })");
  ASSERT_EQ(prediction->points.size(), 2U);
  for (std::size_t p = 0; p < 2; ++p) {
    EXPECT_EQ(prediction->points[p].time.time, run.collective->points[p].time);
    EXPECT_LE(prediction->points[p].time.low, prediction->points[p].time.time);
    EXPECT_GE(prediction->points[p].time.high, prediction->points[p].time.time);
    EXPECT_DOUBLE_EQ(prediction->points[p].bus_factor, 1.75);  // 2 (8 - 1) / 8
  }
}

TEST(Predict, AScenarioByPathIsReadBesideTheCase) {
  std::vector<std::string> asked;
  const auto load = [&](const std::string& path) {
    asked.push_back(path);
    return tl::expected<input::SourcePtr, input::Diagnostics>(input::make_source(path, kScenario));
  };
  EXPECT_EQ(errors_of(case_text("\"../machines/x.json\"", kOnePoint), load), "");
  EXPECT_THAT(asked, ::testing::ElementsAre("../machines/x.json"));
}

TEST(Predict, OneOfSeveralLayoutsMustBeNamed) {
  const std::string scenario =
      std::string(kScenario).insert(std::string(kScenario).rfind('}'),
                                    R"(, "layouts": { "a": {}, "b": { "hosts": { "esx01": {
          "gpus": "4 x h100-sxm5-80gb" } } } })");
  EXPECT_THAT(errors_of(case_text(scenario, kOnePoint)), HasSubstr("several layouts"));
  EXPECT_THAT(errors_of(case_text(scenario, kOnePoint, R"(, "layout": "c")")),
              HasSubstr("no layout \"c\""));
  EXPECT_EQ(try_predict(case_text(scenario, kOnePoint, R"(, "layout": "a")"))->ranks, 8U);
}

TEST(Predict, ErrorsOfTheScenarioNameTheCase) {
  std::string scenario = kScenario;
  scenario.replace(scenario.find("xe9680"), 6, "xe9681");
  const std::string error = errors_of(case_text(scenario, kOnePoint));
  EXPECT_THAT(error, HasSubstr("case.json:"));
  EXPECT_THAT(error, HasSubstr("/scenario/hosts/esx01/server"));
}

TEST(Predict, ALayoutThatVsphereRefusesIsAnErrorWithTheRule) {
  // An L40S does not support the profiles of an A100.
  const std::string errors = errors_of(case_text(R"({ "name": "n", "hosts": { "esx01": {
      "server": "dell-r750xa", "gpus": "2 x l40s" } }, "vms": { "a": { "host": "esx01",
      "gpus": { "mode": "vgpu", "profile": "grid_a100d-80c", "count": 1 } } },
      "job": { "collective": "all_reduce" } })",
                                                 kOnePoint));
  EXPECT_THAT(errors, HasSubstr("refuses it: a: no GPU on host esx01 has profile"));
  EXPECT_THAT(errors, HasSubstr("[profile-of-other-gpu]"));
}

TEST(Case, WhatContradictsItselfIsRefused) {
  EXPECT_THAT(errors_of(case_text(kScenario, R"([{ "size": "1 GiB", "time": "4 ms",
                                                   "busbw": "400 GB/s" }])")),
              HasSubstr("more than one measurement"));
  std::string training = kScenario;
  const std::string job = R"("collective": "all_reduce")";
  training.replace(training.find(job), job.size(), R"("network": "bert-large")");
  EXPECT_THAT(errors_of(case_text(training, kOnePoint)), HasSubstr("not a collective"));
  std::string sizes = kScenario;
  sizes.insert(sizes.find(job) + job.size(), R"(, "sizes": "8 B")");
  EXPECT_THAT(errors_of(case_text(sizes, kOnePoint)), HasSubstr("sizes of a case"));
  std::string sourceless = case_text(kScenario, kOnePoint);
  sourceless.erase(sourceless.find("\"source\""),
                   sourceless.find("\"scenario\"") - sourceless.find("\"source\""));
  EXPECT_THAT(errors_of(sourceless), HasSubstr("without \"source\""));
}

}  // namespace collective_prediction_test
}  // namespace vgsim::scoring
