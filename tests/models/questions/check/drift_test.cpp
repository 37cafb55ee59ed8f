#include "models/questions/check/drift.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/models/questions/check/figures.hpp"

namespace vgsim {
namespace drift_test {

using scenario::Baseline;
using scenario::Drift;
using scenario::FindingKind;
using scenario::LayoutFigures;
using scenario::Tolerances;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

Baseline baseline(const std::vector<LayoutFigures>& layouts) {
  return scenario::baseline_of({"a scenario", {}, {}}, layouts, test::parsed("{}"));
}

Drift drift(const std::vector<LayoutFigures>& before, const std::vector<LayoutFigures>& now,
            const Tolerances& tolerances = {}) {
  return drift_of(baseline(before), baseline(now), now, tolerances);
}

std::vector<std::string> messages(const Drift& drift, FindingKind kind = FindingKind::kDrift) {
  std::vector<std::string> texts;
  for (const auto& each : drift.findings) {
    if (each.kind == kind) texts.push_back(each.layout + ": " + message_of(each));
  }
  return texts;
}

/// A layout with this time alone.
LayoutFigures timed(double time_s) {
  LayoutFigures layout = test::training("a", 1);
  layout.metrics = {test::seconds("iteration_time_s", time_s)};
  return layout;
}

Tolerances tolerance(double share) {
  Tolerances tolerances;
  tolerances.fallback = share;
  return tolerances;
}

TEST(Drift, TheSameResultHasNone) {
  const Drift same = drift({test::training("a", 0.25)}, {test::training("a", 0.25)});
  EXPECT_THAT(same.findings, IsEmpty());
  EXPECT_EQ(same.figures, 3U);
}

TEST(Drift, AFigureThatMovedIsNamedWithItsDirection) {
  EXPECT_THAT(messages(drift({timed(0.25)}, {timed(0.2525)})),
              ElementsAre("a: iteration_time_s 250 ms -> 252.5 ms, 1 % slower"));
  EXPECT_THAT(messages(drift({timed(0.25)}, {timed(0.1)})),
              ElementsAre("a: iteration_time_s 250 ms -> 100 ms, 2.50 x faster"));
}

TEST(Drift, APicosecondInAMillisecondIsSeenAndARoundingErrorIsNot) {
  EXPECT_EQ(messages(drift({timed(1e-3)}, {timed(1e-3 + 2e-12)})).size(), 1U);
  EXPECT_THAT(messages(drift({timed(1e-3)}, {timed(1e-3 * (1 + 4e-16))})), IsEmpty());
}

RC_GTEST_PROP(Drift, IsWhatLeavesTheTolerance, ()) {
  const double before =
      *rc::gen::map(rc::gen::inRange(1, 1'000'000), [](int i) { return i * 1e-6; });
  const double change = *rc::gen::map(rc::gen::inRange(-500, 500), [](int i) { return i * 1e-3; });
  const double allowed =
      *rc::gen::map(rc::gen::inRange(1, 500), [](int i) { return i * 1e-3 + 5e-4; });
  const bool drifted =
      !messages(drift({timed(before)}, {timed(before * (1 + change))}, tolerance(allowed))).empty();
  RC_ASSERT(drifted == (std::abs(change) > allowed));
}

TEST(Drift, ATimeThatWasZeroDriftsAsSoonAsItIsNot) {
  EXPECT_THAT(messages(drift({timed(0)}, {timed(1e-12)}, tolerance(0.5))),
              ElementsAre("a: iteration_time_s 0 ps -> 1 ps"));
}

TEST(Drift, TolerancesOfSingleFiguresGoBeforeThatOfAll) {
  LayoutFigures before = timed(1);
  before.metrics.push_back(test::seconds("time_s@1 GiB", 1));
  LayoutFigures now = timed(1.03);
  now.metrics.push_back(test::seconds("time_s@1 GiB", 1.03));
  Tolerances tolerances = tolerance(0.01);
  tolerances.figures["time_s"] = {0.05, {}, ""};
  EXPECT_THAT(messages(drift({before}, {now}, tolerances)),
              ElementsAre("a: iteration_time_s 1 s -> 1.03 s, 3 % slower"));
}

TEST(Drift, AnEndOfAnIntervalDriftsWhereTheFigureStays) {
  LayoutFigures before = timed(1);
  before.metrics[0].low = 0.9;
  before.metrics[0].high = 1.2;
  LayoutFigures now = before;
  now.metrics[0].high = 1.5;
  EXPECT_THAT(messages(drift({before}, {now})),
              ElementsAre("a: iteration_time_s, high end 1.2 s -> 1.5 s, 25 % slower"));
}

TEST(Drift, RefusalsRulesAndBottlenecksAreFiguresToo) {
  LayoutFigures slower = test::training("a", 1);
  slower.rules = {"mmio-too-small"};
  slower.bottleneck = "pcie";
  EXPECT_THAT(messages(drift({test::training("a", 1)}, {slower}, tolerance(1))),
              ElementsAre("a: rule: mmio-too-small applies, and did not in the baseline",
                          "a: rule: nic-other-root applied in the baseline, and no longer does",
                          "a: bottleneck nic -> pcie"));
  EXPECT_THAT(messages(drift({test::training("a", 1)}, {test::refused("a", "mmio-too-small")})),
              ::testing::Contains("a: refused false -> true, by mmio-too-small"));
}

TEST(Drift, LayoutsThatComeOrGoAreToldAndFail) {
  EXPECT_THAT(messages(drift({test::training("a", 1)}, {test::training("b", 1)})),
              ElementsAre("b: layout: not in the baseline",
                          "a: layout: in the baseline, but not in the scenario"));
}

TEST(Drift, AFigureThatIsNewIsANoteAndOneThatIsGoneFails) {
  LayoutFigures more = timed(1);
  more.metrics.push_back(test::share("scaling_efficiency", 0.5));
  EXPECT_THAT(messages(drift({timed(1)}, {more})), IsEmpty());
  EXPECT_EQ(messages(drift({timed(1)}, {more}), FindingKind::kNote).size(), 1U);
  EXPECT_THAT(messages(drift({more}, {timed(1)})),
              ElementsAre("a: scaling_efficiency 0.5 -> missing"));
}

TEST(Drift, OtherNumbersOfAResultFailOnlyWithoutATolerance) {
  LayoutFigures now = timed(1);
  now.fingerprint = "another";
  EXPECT_EQ(messages(drift({timed(1)}, {now})).size(), 1U);
  EXPECT_THAT(messages(drift({timed(1)}, {now}, tolerance(1e-6))), IsEmpty());
}

TEST(Drift, SaysWhichConstantsHaveChanged) {
  Baseline before = baseline({timed(1)});
  before.inputs = {{"nic_latency", "2 us"}, {"old", "1"}, {"same", "3"}};
  Baseline now = baseline({timed(1)});
  now.inputs = {{"nic_latency", "2.04 us"}, {"same", "3"}, {"young", "5"}};
  const Drift drift = drift_of(before, now, {timed(1)}, {});
  std::vector<std::string> changes;
  for (const auto& change : drift.inputs) changes.push_back(message_of(change));
  EXPECT_THAT(changes, ElementsAre("nic_latency 2 us -> 2.04 us", "old 1, no longer used",
                                   "young 5, not used before"));
}

TEST(Drift, KnowsWhetherTheScenarioItselfHasChanged) {
  const auto of = [](const std::string& document) {
    return scenario::baseline_of({"a", {}, {}}, {}, test::parsed(document));
  };
  const Baseline before = of(R"({"job": {"batch_per_gpu": 32}, "name": "a"})");
  EXPECT_TRUE(drift_of(before, of(R"({"name": "a", "job": {"batch_per_gpu": 64}})"), {}, {})
                  .scenario_changed);
  EXPECT_FALSE(
      drift_of(before, of(R"({"name": "a", "description": "new", "expect": {"*": {"refused": true}},
                               "job": {"batch_per_gpu": 32}})"),
               {}, {})
          .scenario_changed)
      << "neither order nor words nor expectations change what is simulated";
}

}  // namespace drift_test
}  // namespace vgsim
