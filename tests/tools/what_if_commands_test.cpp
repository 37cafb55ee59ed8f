// Comparing, explaining and advising from the command line.

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/program.hpp"

namespace vgsim {
namespace what_if_commands_test {

using nlohmann::json;
using test::Ran;
using test::run_program;
using test::Scratch;
using ::testing::HasSubstr;

const std::string kNicUpgrade =
    VGSIM_SOURCE_DIR "/configs/scenarios/questions/q05-nic-upgrade.json";

json run_json(const Scratch& scratch, const std::string& arguments, int exit_code = 0) {
  const Ran ran = run_program(scratch, arguments + " --format json");
  EXPECT_EQ(ran.exit_code, exit_code) << ran.err;
  return json::parse(ran.out);
}

TEST(RunCommand, SetsOtherValues) {
  const Scratch scratch;
  const json plain = run_json(scratch, "run " + kNicUpgrade + " --draws 0");
  const json other = run_json(scratch, "run " + kNicUpgrade +
                                           " --draws 0 --set "
                                           "'/hosts/*/nics/vmnic4/nic=connectx-6-dx-100g'");
  // The first layout of the file changes nothing, the second one is what was set.
  EXPECT_EQ(other["layouts"]["25 Gbit/s"]["fingerprint"],
            plain["layouts"]["100 Gbit/s"]["fingerprint"]);
  EXPECT_EQ(other["manifest"]["set"][0], "/hosts/*/nics/vmnic4/nic=connectx-6-dx-100g");
}

TEST(RunCommand, RefusesSettingsThatSetNothing) {
  const Scratch scratch;
  const Ran ran = run_program(scratch, "run " + kNicUpgrade + " --set job=1 --set /job/batch=2x");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("POINTER=VALUE"));
}

TEST(SavedResults, CanBeRunAgain) {
  const Scratch scratch;
  const std::string saved = scratch.file("result.json");
  ASSERT_EQ(
      run_program(scratch, "run " + kNicUpgrade + " --draws 0 --format json -o " + saved).exit_code,
      0);
  const json first = json::parse(test::read_file(saved));
  const json again = run_json(scratch, "run " + saved + " --draws 0");
  EXPECT_EQ(again["layouts"], first["layouts"]);
}

TEST(SavedResults, HoldTheFilesThatTheirScenarioNames) {
  const Scratch scratch;
  const std::string saved = scratch.file("result.json");
  const std::string imported = VGSIM_SOURCE_DIR "/configs/scenarios/imported-dgx-a100.json";
  ASSERT_EQ(
      run_program(scratch, "run " + imported + " --draws 0 --format json -o " + saved).exit_code,
      0);
  const json again = run_json(scratch, "run " + saved + " --draws 0");
  EXPECT_EQ(again["layouts"], json::parse(test::read_file(saved))["layouts"]);
}

TEST(CompareCommand, SaysWhatDiffersFirstAndThenByHowMuch) {
  const Scratch scratch;
  const Ran ran = run_program(scratch, "compare '" + kNicUpgrade + "#25 Gbit/s' '" + kNicUpgrade +
                                           "#100 Gbit/s' --draws 0 --full");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out,
              HasSubstr("/hosts/*/nics/vmnic4/nic  connectx-6-lx-25g -> connectx-6-dx-100g"));
  const json times = run_json(
      scratch, "compare " + kNicUpgrade + " --draws 0")["metrics"]["iteration_time_s"]["values"];
  const double ratio = times[1].get<double>() / times[0].get<double>();
  EXPECT_THAT(ran.out, HasSubstr(fmt::format("{:+.0f} %", (ratio - 1) * 100)));
  EXPECT_LT(ran.out.find("differ in 1 place"), ran.out.find("iteration"));
}

TEST(CompareCommand, GivesRatiosOfSavedResultsAsOfScenarios) {
  const Scratch scratch;
  const std::string saved = scratch.file("result.json");
  ASSERT_EQ(
      run_program(scratch, "run " + kNicUpgrade + " --draws 0 --format json -o " + saved).exit_code,
      0);
  const json live = run_json(scratch, "compare " + kNicUpgrade + " --draws 0");
  const json kept = run_json(scratch, "compare " + saved);
  EXPECT_EQ(kept["metrics"], live["metrics"]);
  EXPECT_EQ(kept["differences"], live["differences"]);
  const auto& times = live["metrics"]["iteration_time_s"];
  EXPECT_EQ(times["ratios"][0], 1.0);
  EXPECT_DOUBLE_EQ(times["ratios"][1],
                   times["values"][1].get<double>() / times["values"][0].get<double>());
}

TEST(CompareCommand, RefusesWhatIsNotThere) {
  const Scratch scratch;
  const Ran layout = run_program(scratch, "compare '" + kNicUpgrade + "#25 Gbit' --draws 0");
  EXPECT_EQ(layout.exit_code, 2);
  EXPECT_THAT(layout.err, HasSubstr("did you mean \"25 Gbit/s\"?"));
  EXPECT_EQ(run_program(scratch, "compare nothing.json other.json").exit_code, 2);
}

TEST(ExplainCommand, NamesTheBottleneckAndTheBestChange) {
  const Scratch scratch;
  const json told = run_json(scratch, "explain " + kNicUpgrade + " --layout '25 Gbit/s'");
  ASSERT_EQ(told["layouts"].size(), 1U);
  const json& layout = told["layouts"]["25 Gbit/s"];
  EXPECT_EQ(layout["bottleneck"]["kind"], "nic");
  EXPECT_EQ(layout["changes"][0]["id"], "faster-nic");
  EXPECT_GT(layout["changes"][0]["gain"].get<double>(), 0.6);
  double path = 0;
  for (const json& step : layout["critical_path"]) {
    path += step["end_s"].get<double>() - step["begin_s"].get<double>();
  }
  EXPECT_NEAR(path, layout["iteration_s"].get<double>(), 1e-9);
}

TEST(ExplainCommand, AddsUpPricesOfParts) {
  const Scratch scratch;
  const json told =
      run_json(scratch, "explain " + kNicUpgrade +
                            " --layout '25 Gbit/s' --set '/prices/parts/connectx-6-dx-200g=1500'");
  const json& best = told["layouts"]["25 Gbit/s"]["changes"][0];
  EXPECT_EQ(best["parts"]["connectx-6-dx-200g"], 2);
  EXPECT_EQ(best["price"], 3000);
}

TEST(ExplainCommand, TellsOfRulesAndCodes) {
  const Scratch scratch;
  EXPECT_THAT(run_program(scratch, "explain mmio-too-small").out, HasSubstr("64bitMMIOSizeGB"));
  EXPECT_THAT(run_program(scratch, "explain E201").out, HasSubstr("E201"));
  const Ran unknown = run_program(scratch, "explain mmio-to-small");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean \"mmio-too-small\"?"));
}

TEST(AdviseCommand, ShowsTheParetoSetAndWhatWasRefused) {
  const Scratch scratch;
  const json advice =
      run_json(scratch, "advise " VGSIM_SOURCE_DIR
                        "/configs/scenarios/advice/resnet-50-under-five-minutes.json --quiet");
  EXPECT_EQ(advice["combinations"], 24);
  ASSERT_FALSE(advice["best"].empty());
  for (const json& each : advice["best"]) {
    EXPECT_LE(each["metrics"]["epoch_time_s"].get<double>(), 300);
    EXPECT_LE(each["intervals"]["iteration_time_s"]["low"], each["metrics"]["iteration_time_s"]);
    EXPECT_GE(each["intervals"]["iteration_time_s"]["high"], each["metrics"]["iteration_time_s"]);
  }
  // Four PCIe cards are not joined by NVLink all together: no group of four can be powered on.
  EXPECT_EQ(advice["refused_by"]["device-group-not-joined"], 24);
}

TEST(AdviseCommand, NamesChoicesByWhatTellsThemApart) {
  const Scratch scratch;
  const Ran ran = run_program(scratch, "advise " VGSIM_SOURCE_DIR
                                       "/configs/scenarios/advice/resnet-50-under-five-minutes.json"
                                       " --quiet");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("1  1 host, connectx-6-lx-25g"));
  EXPECT_THAT(ran.out, HasSubstr("2  2 hosts, connectx-6-dx-100g"));
  EXPECT_THAT(ran.out, HasSubstr("90 % interval"));
}

TEST(AdviseCommand, FailsWhereNothingMeetsTheGoal) {
  const Scratch scratch;
  const std::string file = scratch.write("advice.json", R"({"format": "vgsim.advice/1", "name": "a",
      "scenario": ")" + kNicUpgrade + R"(", "goal": {"minimize": ["hosts"],
      "require": {"iteration_time_s": {"max": "1 ms"}}}})");
  const Ran ran = run_program(scratch, "advise " + file);
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("nothing meets the goal"));
}

}  // namespace what_if_commands_test
}  // namespace vgsim
