#include <gmock/gmock.h>

#include <map>

#include "models/scoring/case_kind.hpp"
#include "models/scoring/errors.hpp"
#include "models/scoring/kinds/verdict_table.hpp"
#include "models/scoring/read/thresholds.hpp"
#include "tests/support/scenarios.hpp"

namespace vgsim::scoring {
namespace verdict_tables_test {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A table over a VM with a GPU in passthrough.
std::string table_of(const std::string& verdicts) {
  return R"({"format": "vgsim.verdicts/1", "area": "made-up", "title": "For tests",
"sources": {
  "read": {"title": "A guide", "address": "https://example.org/a", "date": "2024", "evidence": "excerpt"},
  "other": {"title": "B guide", "address": "https://example.org/b", "date": "2025", "evidence": "read whole"},
  "memory": {"title": "C", "address": "none", "date": "2020", "evidence": "recalled"}},
"bases": {"passed": {"name": "one", "hosts": {"e": {"server": "generic-1gpu", "gpus": "1 x a100-pcie-80gb"}},
  "vms": {"v": {"host": "e", "gpus": {"mode": "passthrough", "count": 1}}},
  "job": {"network": "resnet-50", "batch_per_gpu": 4, "samples_per_epoch": 1000}}},
"features": {"efi": ["firmware-not-efi"], "p2p": ["p2p-not-allowed"]},
"verdicts": [
)" + verdicts +
         "]}";
}

std::string row(const std::string& id, const std::string& keys) {
  return R"({"id": ")" + id +
         R"(", "claim": "It is so.", "sources": ["read"], "base": "passed", )" + keys + "}";
}

constexpr const char* kBios = R"("change": {"vms": {"v": {"firmware": "bios"}}}, )";

std::string errors_in(const std::string& verdicts) {
  const auto table = read_verdict_table(input::make_source("v.json", table_of(verdicts)),
                                        test::library().vsphere->rules);
  return table ? "" : input::render(table.error());
}

std::vector<ScoredCase> scored(const std::string& verdicts) {
  input::Diagnostics diagnostics;
  const auto cases = case_kind("verdicts")
                         .read({{input::make_source("v.json", table_of(verdicts)), {}}},
                               test::library(), diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << input::render(diagnostics);
  return {{cases.at(0).head, *cases.at(0).predict({test::library(), {}})}};
}

std::map<std::string, std::string> outcomes(const std::string& verdicts) {
  std::map<std::string, std::string> outcomes;
  const auto cases = scored(verdicts);
  for (const Point& point : cases.at(0).prediction.series.at(0).points) {
    outcomes[point.label] = to_string(*point.verdict);
  }
  return outcomes;
}

TEST(Verdicts, AreHeldAgainstWhatTheRulesSay) {
  const auto found = outcomes(row("runs", R"("expect": "supported")") + "," +
                              row("refused", kBios + std::string(R"("expect": "refused")")) + "," +
                              row("not refused", R"("expect": "refused")") + "," +
                              row("refused too", kBios + std::string(R"("expect": "supported")")));
  EXPECT_EQ(found.at("runs"), "right");
  EXPECT_EQ(found.at("refused"), "right");
  EXPECT_EQ(found.at("not refused"), "false accept");
  EXPECT_EQ(found.at("refused too"), "false refusal");
}

TEST(Verdicts, MayNameTheRule) {
  const auto by = [](const char* rule) {
    return kBios + std::string(R"("expect": "refused", "rule": ")") + rule + "\"";
  };
  const auto found = outcomes(row("its own", by("firmware-not-efi")) + "," +
                              row("another", by("memory-not-reserved")));
  EXPECT_EQ(found.at("its own"), "right");
  EXPECT_EQ(found.at("another"), "wrong reason");
}

TEST(Verdicts, TellOperationsAndFeatures) {
  const auto found =
      outcomes(row("no vMotion", R"("feature": "vmotion", "expect": "lost")") + "," +
               row("no snapshot", R"("feature": "snapshot", "expect": "supported")") + "," +
               row("p2p", R"("feature": "p2p", "expect": "supported")") + "," +
               row("no p2p", R"("feature": "p2p", "expect": "lost")") + "," +
               row("refused", kBios + std::string(R"("feature": "vmotion", "expect": "lost")")));
  EXPECT_EQ(found.at("no vMotion"), "right");
  EXPECT_EQ(found.at("no snapshot"), "false refusal");
  EXPECT_EQ(found.at("p2p"), "right");
  EXPECT_EQ(found.at("no p2p"), "false accept");
  EXPECT_EQ(found.at("refused"), "wrong reason");
}

// A name that is unknown must not pass for a rule that bites.
TEST(Verdicts, OfScenariosThatCannotBeBuiltAreWrongUnlessTheirErrorIsNamed) {
  const std::string unknown =
      R"("change": {"vms": {"v": {"gpus": {"mode": "vgpu", "profile": "grid_a100d-41c"}}}}, )";
  const auto found = outcomes(row("supported", unknown + R"("expect": "supported")") + "," +
                              row("refused", unknown + R"("expect": "refused")") + "," +
                              row("named", unknown + R"("expect": "refused", "rule": "E411")"));
  EXPECT_EQ(found.at("supported"), "false refusal");
  EXPECT_EQ(found.at("refused"), "wrong reason");
  EXPECT_EQ(found.at("named"), "right");
}

/// Six verdicts: two right, two false accepts, one false refusal and one wrong reason.
std::string six() {
  return row("1", R"("expect": "supported")") + "," +
         row("2", R"("expect": "lost", "feature": "drs")") + "," +
         row("3", R"("expect": "refused")") + "," +
         row("4", R"("expect": "lost", "feature": "p2p")") + "," +
         row("5", kBios + std::string(R"("expect": "supported")")) + "," +
         row("6", kBios + std::string(R"("expect": "refused", "rule": "sriov-off")"));
}

TEST(Verdicts, AreCounted) {
  const auto cases = scored(six());
  const ErrorSummary summary = summarize(counted(cases), kAll, Weighting::kPoints);
  EXPECT_EQ(summary.points, 6u);
  ASSERT_TRUE(summary.verdicts);
  EXPECT_EQ(summary.verdicts->right, 2u);
  EXPECT_EQ(summary.verdicts->false_accepts, 2u);
  EXPECT_EQ(summary.verdicts->false_refusals, 1u);
  EXPECT_EQ(summary.verdicts->wrong_reasons, 1u);
}

std::vector<std::string> missed(const std::string& limits) {
  const auto thresholds = read_thresholds(input::make_source(
      "bars.json", R"({"format": "vgsim.bars/2", "parts": {"all": )" + limits + "}}"));
  EXPECT_TRUE(thresholds) << (thresholds ? "" : input::render(thresholds.error()));
  std::vector<std::string> sentences;
  for (const auto& each : missed_thresholds(scored(six()), Weighting::kPoints, *thresholds)) {
    sentences.push_back(describe(each));
  }
  return sentences;
}

TEST(Verdicts, HaveThresholds) {
  EXPECT_THAT(missed(R"({"false_accepts": 2, "false_refusals": 1, "wrong_reasons": 1})"),
              ElementsAre());
  EXPECT_THAT(
      missed(R"({"false_accepts": 1, "false_refusals": 0, "wrong_reasons": 0})"),
      ElementsAre("all: false accepts 2 for 1 at most", "all: false refusals 1 for 0 at most",
                  "all: wrong reasons 1 for 0 at most"));
}

TEST(Verdicts, AreReadStrictly) {
  EXPECT_EQ(errors_in(row("a", R"("expect": "supported")")), "");
  EXPECT_THAT(
      errors_in(row("a", R"("expect": "supported")") + "," + row("a", R"("expect": "supported")")),
      HasSubstr("two verdicts have the id \"a\""));
  EXPECT_THAT(errors_in(row("a", R"("expect": "lost")")), HasSubstr("the lost feature is missing"));
  EXPECT_THAT(errors_in(row("a", R"("expect": "refused", "feature": "drs")")),
              HasSubstr("a feature is supported or lost"));
  EXPECT_THAT(errors_in(row("a", R"("expect": "supported", "rule": "sriov-off")")),
              HasSubstr("a supported verdict has no rule"));
  EXPECT_THAT(errors_in(row("a", R"("expect": "supported", "combined": true)")),
              HasSubstr("a combined verdict has several sources"));
  EXPECT_THAT(errors_in(row("a", R"("expect": "supported", "change": {"layouts": {"b": {}}})")),
              HasSubstr("unknown key \"layouts\""));
}

TEST(Verdicts, AreReadWithTheNearestName) {
  EXPECT_THAT(errors_in(row("a", R"("expect": "refused", "rule": "sriov-of")")),
              AllOf(HasSubstr("sriov-of"), HasSubstr("did you mean \"sriov-off\"")));
  EXPECT_THAT(errors_in(row("a", R"("expect": "lost", "feature": "vmotoin")")),
              HasSubstr("did you mean \"vmotion\""));
  std::string base = row("a", R"("expect": "supported")");
  base.replace(base.find("passed"), 6, "pased");
  EXPECT_THAT(errors_in(base), HasSubstr("did you mean \"passed\""));
  std::string source = row("a", R"("expect": "supported")");
  source.replace(source.find("read"), 4, "raed");
  EXPECT_THAT(errors_in(source), HasSubstr("did you mean \"read\""));
}

TEST(Verdicts, ThatAreWrittenWronglyAreToldAllAtOnce) {
  const std::string errors =
      errors_in(row("a", R"("expect": "supported", "change": {"vms": {"v": {"firmwar": "efi"}}})") +
                ",\n" + row("b", R"("expect": "maybe")"));
  EXPECT_THAT(errors, AllOf(HasSubstr("v.json:11:"), HasSubstr("did you mean \"firmware\""),
                            HasSubstr("/verdicts/0/change/vms/v/firmwar"), HasSubstr("v.json:12:"),
                            HasSubstr("/verdicts/1/expect"), HasSubstr("2 errors")));
}

TEST(Verdicts, RefuseNothingFromRecall) {
  const auto recalled = [](const char* expect) {
    std::string verdict = row("a", R"("expect": ")" + std::string(expect) + "\"");
    verdict.replace(verdict.find("\"read\""), 6, "\"memory\"");
    return verdict;
  };
  EXPECT_EQ(errors_in(recalled("supported")), "");
  EXPECT_THAT(errors_in(recalled("refused")), HasSubstr("with recall as its only source"));
}

}  // namespace verdict_tables_test
}  // namespace vgsim::scoring
