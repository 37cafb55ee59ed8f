#include "models/questions/read/expectations.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/scenario/read/expect_shape.hpp"
#include "tests/models/questions/check/figures.hpp"
#include "topology/input/shapes/shape.hpp"

namespace vgsim {
namespace expectations_test {

using scenario::Judged;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::vector<scenario::LayoutFigures> kLayouts = {test::training("passthrough", 0.250),
                                                       test::training("vgpu", 0.300),
                                                       test::refused("mixed", "no-mixed-profiles")};

struct Outcome {
  Judged judged;
  input::Diagnostics diagnostics;

  /// "layout/figure" of all violations.
  [[nodiscard]] std::vector<std::string> failed() const {
    std::vector<std::string> names;
    for (const auto& each : judged.findings) names.push_back(each.layout + "/" + each.figure);
    return names;
  }
};

Outcome judge(const std::string& expect) {
  Outcome outcome;
  const auto document = test::parsed("{\"expect\": " + expect + "}");
  input::check(document.member("expect")->value, scenario::expect_shape(), outcome.diagnostics);
  if (outcome.diagnostics.has_errors()) return outcome;
  outcome.judged = scenario::judge_expectations(
      document, kLayouts, {}, {"mmio-too-small", "nic-other-root", "no-mixed-profiles"},
      outcome.diagnostics);
  return outcome;
}

std::vector<std::string> failed(const std::string& expect) {
  const Outcome outcome = judge(expect);
  EXPECT_FALSE(outcome.diagnostics.has_errors()) << input::render(outcome.diagnostics);
  return outcome.failed();
}

TEST(Expectations, AValueHoldsWithinItsToleranceOnEitherSide) {
  const auto iteration = [](const std::string& object) {
    return failed(R"({"passthrough": {"iteration_time_s": )" + object + "}}");
  };
  EXPECT_THAT(iteration(R"({"value": "250 ms"})"), IsEmpty());
  EXPECT_THAT(iteration(R"({"value": "252 ms"})"), IsEmpty()) << "1 % by default";
  EXPECT_THAT(iteration(R"({"value": "253 ms"})"), ElementsAre("passthrough/iteration_time_s"));
  EXPECT_THAT(iteration(R"({"value": "260 ms", "tolerance": "5 %"})"), IsEmpty());
  EXPECT_THAT(iteration(R"({"value": "240 ms", "tolerance": "5 %"})"), IsEmpty());
  EXPECT_THAT(iteration(R"({"value": "260 ms", "tolerance": "9 ms"})"),
              ElementsAre("passthrough/iteration_time_s"));
  EXPECT_THAT(iteration(R"({"value": 0.26, "tolerance": 0.011})"), IsEmpty());
}

TEST(Expectations, LimitsIncludeThemselves) {
  EXPECT_THAT(failed(R"({"vgpu": {"iteration_time_s": {"min": "300 ms", "max": 0.3}}})"),
              IsEmpty());
  EXPECT_THAT(failed(R"({"vgpu": {"iteration_time_s": {"min": "301 ms"}}})"),
              ElementsAre("vgpu/iteration_time_s"));
  EXPECT_THAT(failed(R"({"vgpu": {"scaling_efficiency": {"min": "51 %"}}})"),
              ElementsAre("vgpu/scaling_efficiency"));
}

TEST(Expectations, WhatDoesNotHoldSaysWhereWhatAndByHowMuch) {
  const Outcome outcome = judge(R"({"vgpu": {"iteration_time_s": {"max": "250 ms"}}})");
  ASSERT_EQ(outcome.judged.findings.size(), 1U);
  const scenario::Finding& finding = outcome.judged.findings.front();
  EXPECT_EQ(message_of(finding),
            "iteration_time_s: expected at most 250 ms, is 300 ms, 20 % slower");
  EXPECT_EQ(finding.pointer, "/expect/vgpu/iteration_time_s/max");
  const std::string& text = finding.location.source->text;
  EXPECT_EQ(text.substr(finding.location.offset, finding.location.length), "\"250 ms\"");
}

TEST(Expectations, APatternSpeaksOfAllLayoutsButForWhatTheirOwnEntriesSay) {
  EXPECT_THAT(failed(R"({"*": {"iteration_time_s": {"max": "200 ms"}},
                         "mixed": {"refused": true},
                         "vgpu": {"iteration_time_s": {"max": "400 ms"}}})"),
              ElementsAre("passthrough/iteration_time_s"));
  EXPECT_THAT(failed(R"({"v*": {"bottleneck": {"is_not": "nic"}}})"),
              ElementsAre("vgpu/bottleneck"));
}

TEST(Expectations, ARefusedLayoutHasNoFiguresUnlessThatIsExpected) {
  EXPECT_THAT(failed(R"({"*": {"iteration_time_s": {"max": "1 s"}}})"),
              ElementsAre("mixed/iteration_time_s"));
  EXPECT_THAT(failed(R"({"*": {"iteration_time_s": {"max": "1 s"}}, "mixed": {"refused": true}})"),
              IsEmpty());
  EXPECT_THAT(failed(R"({"*": {"refused": false}})"), ElementsAre("mixed/refused"));
  EXPECT_THAT(failed(R"({"mixed": {"refused_by": ["no-mixed-profiles", "mmio-too-small"]}})"),
              ElementsAre("mixed/refused_by"));
}

TEST(Expectations, RulesAreExpectedToBiteOrNot) {
  EXPECT_THAT(
      failed(R"({"vgpu": {"warns": ["nic-other-root"], "does_not_warn": ["mmio-too-small"]}})"),
      IsEmpty());
  EXPECT_THAT(
      failed(R"({"vgpu": {"does_not_warn": ["nic-other-root"], "warns": ["mmio-too-small"]}})"),
      ElementsAre("vgpu/does_not_warn", "vgpu/warns"));
}

TEST(Expectations, LayoutsAreExpectedToBeFasterThanOthers) {
  EXPECT_THAT(failed(R"({"passthrough": {"faster_than": "vgpu"}})"), IsEmpty());
  EXPECT_THAT(failed(R"({"vgpu": {"faster_than": ["passthrough"]}})"),
              ElementsAre("vgpu/faster_than"));
  EXPECT_THAT(failed(R"({"vgpu": {"faster_than": "mixed"}})"), ElementsAre("vgpu/faster_than"))
      << "there is nothing to be faster than";
}

TEST(Expectations, CollectivesAreComparedByTheirLargestCommonSize) {
  scenario::LayoutFigures ring = test::training("ring", 1);
  ring.metrics = {test::seconds("time_s@8 B", 1e-6), test::seconds("time_s@1 GiB", 2e-3)};
  scenario::LayoutFigures tree = test::training("tree", 1);
  tree.metrics = {test::seconds("time_s@8 B", 2e-6), test::seconds("time_s@1 GiB", 1e-3)};
  input::Diagnostics diagnostics;
  const auto judged = scenario::judge_expectations(
      test::parsed(
          R"({"expect": {"tree": {"faster_than": "ring"}, "ring": {"faster_than": "tree"}}})"),
      {ring, tree}, {}, {}, diagnostics);
  ASSERT_EQ(judged.findings.size(), 1U);
  EXPECT_EQ(judged.findings.front().layout, "ring");
}

TEST(Expectations, NothingIsExpectedOfALayoutThatIsLeftOut) {
  input::Diagnostics diagnostics;
  const auto judged =
      scenario::judge_expectations(test::parsed(R"({"expect": {"bad": {"samples_per_s": {"min": 1}},
                                  "ring": {"faster_than": "bad"}}})"),
                                   {test::training("ring", 1)}, {"bad"}, {}, diagnostics);
  EXPECT_TRUE(diagnostics.empty()) << input::render(diagnostics);
  EXPECT_TRUE(judged.findings.empty());
}

TEST(Expectations, WrongWordsAreErrorsWithTheNearestRightOne) {
  const auto error = [](const std::string& expect) {
    return input::render(judge(expect).diagnostics);
  };
  EXPECT_THAT(error(R"({"vgp": {"refused": false}})"), HasSubstr("did you mean \"vgpu\"?"));
  EXPECT_THAT(error(R"({"vgpu": {"iteration_tme_s": {"max": "1 s"}}})"),
              HasSubstr("did you mean \"iteration_time_s\"?"));
  EXPECT_THAT(error(R"({"vgpu": {"warns": ["nic-other-rot"]}})"),
              HasSubstr("did you mean \"nic-other-root\"?"));
  EXPECT_THAT(error(R"({"vgpu": {"faster_than": "passthrogh"}})"),
              HasSubstr("did you mean \"passthrough\"?"));
  EXPECT_THAT(error(R"({"vgpu": {"bottleneck": {"is": "nvlik"}}})"),
              HasSubstr("did you mean \"nvlink\"?"));
  EXPECT_THAT(error(R"({"vgpu": {"iteration_time_s": {"tolerence": "1 s"}}})"),
              HasSubstr("did you mean \"tolerance\"?"));
}

TEST(Expectations, WrongUnitsAndKindsAreErrorsAtTheirPlace) {
  const auto error = [](const std::string& expect) {
    return input::render(judge(expect).diagnostics);
  };
  EXPECT_THAT(error(R"({"vgpu": {"iteration_time_s": {"max": "1 GB/s"}}})"),
              HasSubstr("cannot read \"1 GB/s\" as iteration_time_s"));
  EXPECT_THAT(error(R"({"vgpu": {"iteration_time_s": {"value": "1 s", "tolerance": -1}}})"),
              HasSubstr("/expect/vgpu/iteration_time_s/tolerance"));
  EXPECT_THAT(error(R"({"vgpu": {"iteration_time_s": {"tolerance": "1 %"}}})"),
              HasSubstr("the expectation is empty"));
  EXPECT_THAT(error(R"({"vgpu": {"iteration_time_s": {"is": "nic"}}})"), HasSubstr("E203"));
  EXPECT_THAT(error(R"({"vgpu": {"iteration_time_s": true}})"), HasSubstr("E203"));
  EXPECT_THAT(error(R"({"vgpu": {"bottleneck": {"max": 1}}})"), HasSubstr("E203"));
  EXPECT_THAT(error(R"({"vgpu": {"refused": ["mmio-too-small"]}})"), HasSubstr("true or false"));
}

TEST(Expectations, AScenarioWithoutExpectationsHasNone) {
  input::Diagnostics diagnostics;
  const auto judged =
      scenario::judge_expectations(test::parsed("{}"), kLayouts, {}, {}, diagnostics);
  EXPECT_EQ(judged.expectations, 0U);
  EXPECT_TRUE(diagnostics.empty());
}

}  // namespace expectations_test
}  // namespace vgsim
