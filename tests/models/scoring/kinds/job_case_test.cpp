#include "models/scoring/kinds/job_case.hpp"

#include <gmock/gmock.h>

#include "topology/input/typed.hpp"

namespace vgsim::scoring {
namespace job_case_test {

using input::find;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char* kCase = R"({
  "format": "vgsim.training-case/1",
  "id": "two-hosts",
  "title": "ResNet-50 on one and on two hosts",
  "grade": "B",
  "source": { "url": "https://example.org" },
  "machines": { "box": { "server": "generic-rome-4+4", "gpus": "8 x a40" } },
  "scenario": { "name": "two hosts", "job": { "precision": "fp16" } },
  "series": [
    { "id": "resnet", "metric": "samples_per_s", "patch": { "job": { "network": "resnet-50" } },
      "points": [
        { "patch": { "use": { "machine": "box", "hosts": 1, "gpus": 2 } }, "value": 700, "anchor": true },
        { "patch": { "use": { "machine": "box", "hosts": 2, "gpus": 8 },
                     "job": { "precision": "fp32" } }, "value": 5000.5 },
        { "patch": { "use": { "machine": "box", "hosts": 12 } } }
      ] }
  ]
})";

tl::expected<JobCase, input::Diagnostics> read(const std::string& text) {
  return read_training_case(input::make_source("case.json", text));
}

std::string with(std::string text, const std::string& part, const std::string& instead) {
  const std::size_t at = text.find(part);
  EXPECT_NE(at, text.npos) << part;
  return text.replace(at, part.size(), instead);
}

/// The errors of the case with one part of it replaced.
std::string errors_with(const std::string& part, const std::string& instead) {
  const auto read_one = read(with(kCase, part, instead));
  return read_one ? "" : input::render(read_one.error());
}

std::string text_at(const input::Value& scenario, const char* outer, const char* inner) {
  const auto object = find(scenario, outer);
  const auto value = object ? find(*object, inner) : std::nullopt;
  return value ? to_canonical_string(*value) : "";
}

TEST(TrainingCase, APointIsTheScenarioWithItsPatchesAndItsHosts) {
  const auto found = read(kCase);
  ASSERT_TRUE(found) << input::render(found.error());
  EXPECT_EQ(found->head.group, "two-hosts") << "the id if no group is stated";
  ASSERT_EQ(found->series.size(), 1u);
  const auto& points = found->series[0].points;
  ASSERT_EQ(points.size(), 3u);
  EXPECT_TRUE(points[0].given);
  EXPECT_EQ(points[1].value, 5000.5);
  EXPECT_EQ(points[2].value, std::nullopt);
  EXPECT_EQ(text_at(points[1].scenario.value(), "hosts", "n[1-2]"),
            R"({"gpus":"8 x a40","server":"generic-rome-4+4"})");
  EXPECT_EQ(text_at(points[1].scenario.value(), "job", "ranks"), R"(["n*/gpu[0-7]"])");
  EXPECT_EQ(text_at(points[0].scenario.value(), "job", "precision"), R"("fp16")");
  EXPECT_EQ(text_at(points[1].scenario.value(), "job", "precision"), R"("fp32")");
  EXPECT_EQ(text_at(points[2].scenario.value(), "job", "network"), R"("resnet-50")");
  EXPECT_NE(text_at(points[2].scenario.value(), "hosts", "n[01-12]"), "");
  EXPECT_EQ(text_at(points[2].scenario.value(), "job", "ranks"), "") << "all GPUs";
  EXPECT_FALSE(find(points[2].scenario.value(), "use"));
}

TEST(TrainingCase, AWrongWordIsToldWithItsPlaceAndTheNearestOne) {
  EXPECT_THAT(errors_with(R"("anchor": true)", R"("ancor": true)"),
              AllOf(HasSubstr("case.json:12:90: error E201: unknown key \"ancor\""),
                    HasSubstr("did you mean \"anchor\"?"), HasSubstr("at /series/0/points/0/ancor"),
                    HasSubstr("1 error\n")));
  EXPECT_THAT(errors_with(R"("samples_per_s")", R"("sample_per_s")"),
              AllOf(HasSubstr("case.json:10:"), HasSubstr("/series/0/metric"),
                    HasSubstr("tokens_per_s"), HasSubstr("did you mean \"samples_per_s\"?")));
  EXPECT_THAT(errors_with(R"("machine": "box", "hosts": 2)", R"("machine": "bax", "hosts": 2)"),
              AllOf(HasSubstr("case.json:13:"), HasSubstr("/series/0/points/1/patch/use/machine"),
                    HasSubstr("did you mean \"box\"?")));
}

TEST(TrainingCase, PatchesAndMachinesHaveTheFormOfAScenario) {
  EXPECT_THAT(errors_with(R"("network": "resnet-50")", R"("netwrok": "resnet-50")"),
              AllOf(HasSubstr("case.json:10:"), HasSubstr("/series/0/patch/job/netwrok"),
                    HasSubstr("did you mean \"network\"?")));
  EXPECT_THAT(errors_with(R"("precision": "fp32")", R"("precision": 32)"),
              AllOf(HasSubstr("case.json:14:"), HasSubstr("/series/0/points/1/patch/job/precision"),
                    HasSubstr("\"tf32\"")));
  EXPECT_THAT(errors_with(R"("server": "generic)", R"("sever": "generic)"),
              AllOf(HasSubstr("case.json:7:"), HasSubstr("/machines/box/sever"),
                    HasSubstr("did you mean \"server\"?")));
  EXPECT_THAT(errors_with(R"("network": "resnet-50")", R"("collective": "all_reduce")"),
              HasSubstr("the job does not train a network"));
  EXPECT_THAT(errors_with(R"({ "patch": { "use": { "machine": "box", "hosts": 12 } } })", "{}"),
              HasSubstr("\"hosts\""));
}

TEST(TrainingCase, NumbersOutOfRangeAreRefused) {
  EXPECT_THAT(
      errors_with("\"hosts\": 2", "\"hosts\": 0"),
      AllOf(HasSubstr("/series/0/points/1/patch/use/hosts"), HasSubstr("from 1 to 100000")));
  EXPECT_THAT(errors_with("\"value\": 700", "\"value\": -700"),
              AllOf(HasSubstr("case.json:12:"), HasSubstr("/series/0/points/0/value")));
  EXPECT_THAT(errors_with("\"value\": 700", "\"value\": \"700\""), HasSubstr("a number"));
  EXPECT_THAT(errors_with("\"value\": 700, ", ""), HasSubstr("an anchor without a value"));
  EXPECT_THAT(errors_with("\"gpus\": 8 }", "\"gpus\": 8.5 }"), HasSubstr("a whole number"));
}

TEST(TrainingCase, AllErrorsComeAtOnce) {
  std::string text = with(kCase, "\"grade\": \"B\"", "\"grade\": \"D\"");
  text = with(text, "\"url\"", "\"uri\"");
  text = with(text, "\"anchor\": true", "\"anchor\": \"yes\"");
  text = with(text, "\"gpus\": 8 }", "\"gpus\": -1 }");
  const auto found = read(text);
  ASSERT_FALSE(found);
  EXPECT_THAT(input::render(found.error()), AllOf(HasSubstr("/grade"), HasSubstr("/source/uri"),
                                                  HasSubstr("/series/0/points/0/anchor"),
                                                  HasSubstr("/series/0/points/1/patch/use/gpus")));
}

TEST(TrainingCase, ASeriesHasANameOfItsOwn) {
  const std::string series = R"({ "id": "resnet", "metric": "samples_per_s",)";
  const std::string twice =
      R"({ "id": "resnet", "metric": "step_time_s", "patch": { "job": { "network": "resnet-50" } },
         "points": [ { "patch": { "use": { "machine": "box", "hosts": 1 } } } ] }, )";
  EXPECT_THAT(errors_with(series, twice + series), HasSubstr("two series have the id \"resnet\""));
}

TEST(TrainingCase, WhatIsLeftOutNeedsNoHosts) {
  const auto found = read(with(kCase, R"("patch": { "use": { "machine": "box", "hosts": 12 } })",
                               R"("skip": "its hosts are not stated")"));
  ASSERT_TRUE(found) << input::render(found.error());
  EXPECT_EQ(found->series[0].points[2].left_out, "its hosts are not stated");
}

}  // namespace job_case_test
}  // namespace vgsim::scoring
