#include "tools/cli/check/writers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <pugixml.hpp>

namespace vgsim {
namespace writers_test {

using cli::CheckedScenario;
using cli::CheckReport;
using scenario::Finding;
using scenario::FindingKind;
using ::testing::HasSubstr;

const input::SourcePtr kFile = input::make_source("dir, a/x:1.json", "{\n  \"name\": \"x\"\n}\n");

Finding finding(FindingKind kind, const std::string& layout, const std::string& figure) {
  return {kind, layout, figure, "268 ms", "271 ms", "1.1 % slower", 0.011, {kFile, 4, 6}, "/name"};
}

CheckedScenario scenario_named(const std::string& name, std::vector<Finding> findings = {}) {
  CheckedScenario scenario;
  scenario.path = kFile->path;
  scenario.name = name;
  scenario.layouts = {{"passthrough", {kFile, 4, 6}}, {"100 %, <b>|`vgpu`", {kFile, 4, 6}}};
  scenario.findings = std::move(findings);
  return scenario;
}

CheckedScenario broken() {
  CheckedScenario scenario;
  scenario.path = "broken.json";
  scenario.errors.error("E101", {}, "", "no JSON\x01 & <all>", "\"}\"");
  return scenario;
}

CheckReport report_of(std::vector<CheckedScenario> scenarios) {
  return {std::move(scenarios), false};
}

pugi::xml_document parsed_junit(const CheckReport& report) {
  pugi::xml_document document;
  const std::string text = cli::check_junit(report);
  const auto result = document.load_string(text.c_str());
  EXPECT_TRUE(result) << result.description() << " in " << text;
  return document;
}

TEST(CheckJunit, HasASuiteForEachScenarioAndACaseForEachLayout) {
  const auto document = parsed_junit(
      report_of({scenario_named("good"),
                 scenario_named("bad", {finding(FindingKind::kDrift, "passthrough", "epoch_time_s"),
                                        finding(FindingKind::kDrift, "passthrough", "gpu_hours")}),
                 broken()}));
  const auto root = document.child("testsuites");
  EXPECT_EQ(root.attribute("tests").as_int(), 5);
  EXPECT_EQ(root.attribute("failures").as_int(), 1);
  EXPECT_EQ(root.attribute("errors").as_int(), 1);
  const auto failure = document.select_node("//testsuite[2]/testcase[@name='passthrough']/failure");
  ASSERT_TRUE(failure) << "the layout is the case";
  EXPECT_THAT(failure.node().attribute("message").value(),
              HasSubstr("epoch_time_s 268 ms -> 271 ms"));
  EXPECT_THAT(failure.node().text().get(), HasSubstr("dir, a/x:1.json:2:3: gpu_hours"));
  EXPECT_TRUE(document.select_node("//testsuite[3]/testcase/error"));
}

TEST(CheckJunit, NamesSurviveXml) {
  const std::string layout = "100 %, <b>|`vgpu`";
  const auto document = parsed_junit(
      report_of({scenario_named("bad", {finding(FindingKind::kExpectation, layout, "x")})}));
  const auto test = document.select_node("//testcase[failure]").node();
  EXPECT_EQ(test.attribute("name").value(), layout);
}

TEST(CheckJunit, FindsOfTheScenarioItselfHaveACaseOfTheirOwn) {
  const auto document = parsed_junit(
      report_of({scenario_named("bad", {finding(FindingKind::kDrift, "", "baseline")})}));
  EXPECT_TRUE(document.select_node("//testcase[@name='scenario']/failure"));
  EXPECT_EQ(document.child("testsuites").attribute("tests").as_int(), 3);
}

TEST(CheckAnnotations, AreEscapedAsGitHubUndoesIt) {
  const std::string text = cli::check_annotations(report_of(
      {scenario_named("a: b", {finding(FindingKind::kDrift, "100 %, <b>|`vgpu`", "epoch_time_s"),
                               finding(FindingKind::kDrift, "100 %, <b>|`vgpu`", "gpu_hours")})}));
  EXPECT_THAT(text, HasSubstr("::error file=dir%2C a/x%3A1.json,line=2,col=3,"
                              "title=a%3A b%2C 100 %25%2C <b>|`vgpu`::a: b, 100 %25, <b>"));
  EXPECT_THAT(text, HasSubstr("epoch_time_s 268 ms -> 271 ms, 1.1 %25 slower%0Agpu_hours"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << "one line for each annotation";
}

TEST(CheckAnnotations, BeginWithTheConstantsThatChanged) {
  CheckedScenario scenario =
      scenario_named("a", {finding(FindingKind::kDrift, "passthrough", "epoch_time_s")});
  scenario.inputs = {{"nic_latency", "2 us", "2.04 us"}};
  EXPECT_THAT(
      cli::check_annotations(report_of({scenario})),
      ::testing::StartsWith("::error title=constants changed since the baselines::nic_latency "
                            "2 us -> 2.04 us (1 scenario moved)\n"));
}

TEST(CheckMarkdown, KeepsItsTableWhateverTheNames) {
  const std::string text = cli::check_markdown(
      report_of({scenario_named("a", {finding(FindingKind::kDrift, "100 %, <b>|`vgpu`", "x")})}));
  EXPECT_THAT(text,
              HasSubstr("| 100 %, &lt;b>\\|\\`vgpu\\` | x | 268 ms | 271 ms | 1.1 % slower |"));
}

TEST(CheckMarkdown, FitsTheSummaryOfAStep) {
  std::vector<CheckedScenario> many(
      3000, scenario_named("a", {finding(FindingKind::kDrift, "passthrough", "epoch_time_s")}));
  const std::string text = cli::check_markdown(report_of(many), 100'000);
  EXPECT_LE(text.size(), 100'000U);
  EXPECT_THAT(text, HasSubstr("more scenarios left out."));
}

TEST(CheckText, ShowsTheThreeMostTellingFiguresAndCountsTheOthers) {
  std::vector<Finding> findings;
  for (int i = 0; i < 9; ++i) {
    findings.push_back(finding(FindingKind::kDrift, "passthrough", "figure" + std::to_string(i)));
  }
  const std::string text = cli::check_text(report_of({scenario_named("a", findings)}));
  EXPECT_THAT(text, HasSubstr("figure2"));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("figure3")));
  EXPECT_THAT(text, HasSubstr("and 6 more"));
}

std::vector<std::string> order_of(const std::vector<std::pair<std::string, double>>& changes) {
  std::vector<Finding> findings;
  for (const auto& [figure, change] : changes) {
    findings.push_back(finding(FindingKind::kDrift, "passthrough", figure));
    findings.back().change = change;
  }
  const CheckReport report = report_of({scenario_named("a", findings)});
  std::vector<std::string> order;
  for (const Finding& each : findings_of(report.scenarios[0], "passthrough")) {
    order.push_back(each.figure);
  }
  return order;
}

TEST(CheckReport, SizesThatChangedMostComeFirstAndTheirBandwidthsLast) {
  EXPECT_THAT(
      order_of({{"time_s@8 B", 0.01},
                {"busbw_GBps@8 B", -0.0099},
                {"time_s@1 GiB", 0.25},
                {"busbw_GBps@1 GiB", -0.2}}),
      ::testing::ElementsAre("time_s@1 GiB", "time_s@8 B", "busbw_GBps@8 B", "busbw_GBps@1 GiB"));
}

TEST(CheckReport, FiguresThatOnlyFollowTheIterationComeLast) {
  EXPECT_THAT(order_of({{"iteration_time_s", 0.25},
                        {"epoch_time_s", 0.25},
                        {"training_time_s", 0.1},
                        {"samples_per_s", -0.2},
                        {"compute_s", 0.25}}),
              ::testing::ElementsAre("iteration_time_s", "training_time_s", "compute_s",
                                     "epoch_time_s", "samples_per_s"))
      << "training took no longer in proportion: something else changed too";
}

TEST(CheckReport, BadInputGoesBeforeFailuresAndNotesFailNothing) {
  const CheckedScenario drifted = scenario_named("a", {finding(FindingKind::kDrift, "", "x")});
  const CheckedScenario noted = scenario_named("a", {finding(FindingKind::kNote, "", "x")});
  CheckedScenario stopped = scenario_named("a");
  stopped.limit = "more than 10 events";
  EXPECT_EQ(exit_code_of(report_of({noted})), 0);
  EXPECT_EQ(exit_code_of(report_of({noted, drifted})), 1);
  EXPECT_EQ(exit_code_of(report_of({stopped, drifted})), 4);
  EXPECT_EQ(exit_code_of(report_of({stopped, drifted, broken()})), 2);
  CheckReport updating = report_of({drifted});
  updating.updating = true;
  EXPECT_EQ(exit_code_of(updating), 0);
}

TEST(CheckJson, ContainsEverything) {
  const auto json = nlohmann::json::parse(cli::check_json(report_of(
      {scenario_named("a", {finding(FindingKind::kDrift, "passthrough", "epoch_time_s")})})));
  EXPECT_EQ(json["schema"], "vgsim.check/1");
  const auto& told = json["scenarios"][kFile->path]["findings"][0];
  EXPECT_EQ(told["line"], 2);
  EXPECT_EQ(told["column"], 3);
  EXPECT_EQ(told["figure"], "epoch_time_s");
  EXPECT_NEAR(told["change"].get<double>(), 0.011, 1e-12);
}

}  // namespace writers_test
}  // namespace vgsim
