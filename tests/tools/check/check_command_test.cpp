#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "tests/tools/program.hpp"

namespace vgsim {
namespace check_command_test {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

/// A folder of two small scenarios, one in a folder below.
class CheckCommand : public ::testing::Test {
 protected:
  CheckCommand() {
    fs::create_directories(scratch_.file("scenarios/below"));
    write("scenarios/one.json", scenario(32));
    write("scenarios/below/two.json", scenario(64));
  }

  static json scenario(int batch) {
    return {{"name", "batch " + std::to_string(batch)},
            {"hosts",
             {{"esx[01-02]",
               {{"server", "dell-r750xa"},
                {"gpus", "2 x a100-pcie-80gb"},
                {"nics", {{"vmnic4", {{"nic", "connectx-6-dx-100g"}}}}}}}}},
            {"job", {{"network", "bert-large"}, {"batch_per_gpu", batch}}}};
  }

  void write(const std::string& name, const json& content) {
    scratch_.write(name, content.dump(1));
  }

  test::Ran check(const std::string& options) {
    return test::run_program(scratch_, "check " + scratch_.file("scenarios") + " " + options);
  }

  test::Ran check_against(const std::string& options = "") {
    return check("--baseline " + scratch_.file("baselines") + " " + options);
  }

  json baseline(const std::string& name) {
    return json::parse(test::read_file(scratch_.file("baselines/" + name)));
  }

  void write_baseline(const std::string& name, const json& content) {
    write("baselines/" + name, content);
  }

  /// Multiplies a figure of the baseline.
  void scale(const std::string& name, const std::string& figure, double factor) {
    json changed = baseline(name);
    json& value = changed["layouts"].begin().value()["figures"][figure];
    value = value.get<double>() * factor;
    write_baseline(name, changed);
  }

  test::Scratch scratch_;
};

TEST_F(CheckCommand, WithoutBaselinesFailsUntilTheyAreWritten) {
  const test::Ran missing = check_against();
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_THAT(missing.out, HasSubstr("below/two.json is missing"));
  EXPECT_EQ(check_against("--update").exit_code, 0);
  EXPECT_TRUE(fs::exists(scratch_.file("baselines/below/two.json")));
  EXPECT_EQ(check_against().exit_code, 0);
}

TEST_F(CheckCommand, SetsOtherValuesInAllScenarios) {
  check_against("--update");
  const test::Ran ran = check_against("--set /job/batch_per_gpu=32");
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.out, HasSubstr("2 scenarios: 1 hold, 1 failed")) << "one of them has 32 as it is";
  const test::Ran typo = check_against("--set /hosts/esx03/gpus=null --set /hosts/esx03/acs=true");
  EXPECT_EQ(typo.exit_code, 2);
  EXPECT_THAT(typo.err, HasSubstr("unknown name \"esx03\""));
  EXPECT_EQ(check_against("--update --set /job/batch_per_gpu=32").exit_code, 2);
}

TEST_F(CheckCommand, ReportsChangedFiguresAndByHowMuch) {
  check_against("--update");
  scale("one.json", "iteration_time_s", 1 / 1.02);
  const test::Ran drifted = check_against();
  EXPECT_EQ(drifted.exit_code, 1);
  EXPECT_THAT(drifted.out, HasSubstr("2 % slower"));
  EXPECT_THAT(drifted.out, HasSubstr("2 scenarios: 1 hold, 1 failed"));
  EXPECT_EQ(check_against("--tolerance '2.1 %'").exit_code, 0);
  scratch_.write("baselines/tolerances.json", R"({"iteration_time_s": "2.1 %"})");
  EXPECT_EQ(check_against().exit_code, 0);
  scratch_.write("baselines/tolerances.json", R"({"iteration_tme_s": "2.1 %"})");
  const test::Ran wrong = check_against();
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean \"iteration_time_s\""));
}

TEST_F(CheckCommand, AnUpdateShowsTheDifferenceAndLeavesTheOthersAlone) {
  check_against("--update");
  scale("one.json", "iteration_time_s", 1 / 1.02);
  const std::string two = scratch_.file("baselines/below/two.json");
  fs::last_write_time(two, fs::last_write_time(two) - std::chrono::hours(1));
  const auto untouched = fs::last_write_time(two);
  const test::Ran updated = check_against("--update");
  EXPECT_EQ(updated.exit_code, 0);
  EXPECT_THAT(updated.out, HasSubstr("2 % slower"));
  EXPECT_THAT(updated.out, HasSubstr("baselines: 1 updated, 1 the same"));
  EXPECT_EQ(fs::last_write_time(two), untouched);
  EXPECT_EQ(check_against().exit_code, 0);
}

TEST_F(CheckCommand, AnUpdateWritesAllOrNothing) {
  check_against("--update");
  scale("one.json", "iteration_time_s", 2);
  const std::string before = test::read_file(scratch_.file("baselines/one.json"));
  scratch_.write("scenarios/broken.json", "{");
  const test::Ran broken = check_against("--update");
  EXPECT_EQ(broken.exit_code, 2);
  EXPECT_THAT(broken.err, HasSubstr("no baseline was written"));
  EXPECT_EQ(test::read_file(scratch_.file("baselines/one.json")), before);
  fs::remove(scratch_.file("scenarios/broken.json"));
  write("scenarios/new.json", scenario(16));
  fs::create_directories(scratch_.file("baselines/new.json.new"));  // an obstacle
  EXPECT_EQ(check_against("--update").exit_code, 2);
  EXPECT_EQ(test::read_file(scratch_.file("baselines/one.json")), before);
  EXPECT_FALSE(fs::exists(scratch_.file("baselines/one.json.new")));
}

TEST_F(CheckCommand, NeverWritesOverAFileThatIsNoBaseline) {
  const std::string before = test::read_file(scratch_.file("scenarios/one.json"));
  const test::Ran ran =
      test::run_program(scratch_, "check " + scratch_.file("scenarios/one.json") + " --baseline " +
                                      scratch_.file("scenarios") + " --update");
  EXPECT_EQ(ran.exit_code, 2) << "the scenarios themselves are taken for baselines";
  EXPECT_EQ(test::read_file(scratch_.file("scenarios/one.json")), before);
}

TEST_F(CheckCommand, ABaselineWithoutAScenarioFailsAndAnUpdateRemovesIt) {
  check_against("--update");
  fs::rename(scratch_.file("scenarios/below/two.json"),
             scratch_.file("scenarios/below/three.json"));
  const test::Ran gone = check_against();
  EXPECT_EQ(gone.exit_code, 1);
  EXPECT_THAT(gone.out, HasSubstr("its scenario no longer exists"));
  EXPECT_EQ(check_against("--update").exit_code, 0);
  EXPECT_FALSE(fs::exists(scratch_.file("baselines/below/two.json")));
}

TEST_F(CheckCommand, ASingleFileOrAFolderBelowFindsItsBaseline) {
  check_against("--update");
  const auto check_part = [&](const std::string& part) {
    return test::run_program(scratch_, "check " + scratch_.file("scenarios/" + part) +
                                           " --baseline " + scratch_.file("baselines"));
  };
  EXPECT_EQ(check_part("below/two.json").exit_code, 0);
  EXPECT_EQ(check_part("below").exit_code, 0);
  EXPECT_EQ(check_part("one.json").exit_code, 0);
}

TEST_F(CheckCommand, BadScenariosDoNotKeepTheOthersFromBeingChecked) {
  check_against("--update");
  scale("one.json", "iteration_time_s", 1.1);
  json bad = scenario(64);
  bad["expect"]["batch 64"]["iteration_tme_s"]["max"] = "1 s";
  write("scenarios/below/two.json", bad);
  const test::Ran ran = check_against("--junit " + scratch_.file("junit.xml"));
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.out, HasSubstr("0 hold, 1 failed, 1 error"));
  EXPECT_THAT(ran.err, HasSubstr("did you mean \"iteration_time_s\""));
  const std::string junit = test::read_file(scratch_.file("junit.xml"));
  EXPECT_THAT(junit, HasSubstr("<error"));
  EXPECT_THAT(junit, HasSubstr("<failure"));
}

TEST_F(CheckCommand, OneWrongLayoutLeavesTheOthersTheirCheck) {
  json document = scenario(32);
  document["layouts"] = {{"a", json::object()}, {"b", json::object()}};
  document["expect"]["b"]["iteration_time_s"]["max"] = "1 us";
  write("scenarios/one.json", document);
  check_against("--update");
  scale("one.json", "iteration_time_s", 1 / 1.02);  // of "a"
  document["layouts"]["b"] = {{"hosts", {{"esx[01-02]", {{"server", "dell-r750xb"}}}}}};
  write("scenarios/one.json", document);
  const test::Ran ran = check_against();
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.out, HasSubstr("layout \"b\": unknown server"));
  EXPECT_THAT(ran.out, HasSubstr("2 % slower")) << "of the other layout";
  EXPECT_THAT(ran.out, Not(HasSubstr("not in the scenario")));
  EXPECT_THAT(ran.out, Not(HasSubstr("1 us")));
  EXPECT_THAT(ran.err, Not(HasSubstr("no layout \"b\"")));
  EXPECT_EQ(check_against("--update").exit_code, 2) << "no baseline loses a layout";
}

TEST_F(CheckCommand, ReportsChangedKeysOfTheScenario) {
  check_against("--update");
  EXPECT_THAT(check_against("--set /job/batch_per_gpu=33").out,
              HasSubstr("/job/batch_per_gpu 32 -> 33"));
  const test::Ran hosts = check_against("--set '/hosts/*/gpus=1 x a100-pcie-80gb'");
  EXPECT_THAT(hosts.out, HasSubstr("/hosts/*/gpus 2 x a100-pcie-80gb -> 1 x a100-pcie-80gb\n"));
  json document = scenario(32);
  document["hosts"]["esx[01-03]"] = document["hosts"]["esx[01-02]"];
  document["hosts"].erase("esx[01-02]");
  document["job"]["gradients"] = "fp16";
  write("scenarios/one.json", document);
  for (const char* format : {"text", "json", "junit", "md"}) {
    const test::Ran ran = check_against(std::string("--format ") + format);
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_THAT(ran.out, HasSubstr("/job/gradients")) << format;
    EXPECT_THAT(ran.out, HasSubstr("/hosts/esx")) << format;
    EXPECT_THAT(ran.out, Not(HasSubstr("/gpus"))) << "the host as a whole " << format;
  }
}

TEST_F(CheckCommand, KeysWithoutEffectAreReportedToo) {
  check_against("--update");
  json document = scenario(32);
  document["hosts"]["esx[01-02]"]["acs"] = true;
  write("scenarios/one.json", document);
  const test::Ran ran = check_against("--tolerance '1000 %'");
  EXPECT_EQ(ran.exit_code, 0) << ran.out;
  EXPECT_THAT(ran.out, HasSubstr("/hosts/esx[01-02]/acs true, new"));
}

TEST_F(CheckCommand, OldBaselinesTellWhatWasSet) {
  check_against("--update");
  json old = baseline("one.json");
  old.erase("values");
  write_baseline("one.json", old);
  EXPECT_THAT(check_against("--set /job/batch_per_gpu=33").out,
              HasSubstr("/job/batch_per_gpu 32 -> 33"));
  write("scenarios/one.json", scenario(31));
  const test::Ran ran = check_against();
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.out, HasSubstr("the scenario itself has changed since the baseline"));
}

TEST_F(CheckCommand, HoldsScenariosToWhatTheyExpect) {
  json expecting = scenario(32);
  expecting["expect"]["*"] = {{"iteration_time_s", {{"min", "1 ms"}}},
                              {"scaling_efficiency", {{"max", "100 %"}}},
                              {"refused", false}};
  write("scenarios/one.json", expecting);
  const test::Ran holds = check("");
  EXPECT_EQ(holds.exit_code, 0) << holds.out << holds.err;
  EXPECT_THAT(holds.out, HasSubstr("3 expectations"));
  expecting["expect"]["*"]["iteration_time_s"] = {{"max", "1 us"}};
  write("scenarios/one.json", expecting);
  const test::Ran failed = check("");
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_THAT(failed.out, HasSubstr("expected at most 1 us"));
  EXPECT_THAT(failed.out, HasSubstr("/expect/*/iteration_time_s/max"));
}

TEST_F(CheckCommand, ExpectationsChangeNoResult) {
  check_against("--update");
  json expecting = scenario(32);
  expecting["expect"]["*"]["refused"] = false;
  write("scenarios/one.json", expecting);
  EXPECT_EQ(check_against().exit_code, 0);
}

TEST_F(CheckCommand, LeavesOutFilesOfOtherKindsWithAMessage) {
  write("scenarios/result.json", {{"schema", "vgsim.result/1"}});
  write("scenarios/network.json", {{"$schema", "../network.schema.json"}});
  write("scenarios/any.json", json::array());
  const test::Ran ran = check("");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("2 scenarios: 2 hold"));
  EXPECT_THAT(ran.err, HasSubstr("result.json: no scenario, but \"vgsim.result/1\""));
  EXPECT_THAT(ran.err, HasSubstr("network.json: no scenario, but \"network\""));
  EXPECT_THAT(ran.err, HasSubstr("any.json: no scenario"));
}

TEST_F(CheckCommand, UsageErrorsAreDistinguished) {
  const auto fails_with = [&](const std::string& arguments, const std::string& what) {
    const test::Ran ran = test::run_program(scratch_, "check " + arguments);
    EXPECT_EQ(ran.exit_code, 2) << arguments;
    EXPECT_THAT(ran.err, HasSubstr(what)) << arguments;
  };
  const std::string folder = scratch_.file("scenarios");
  fails_with("", "missing");
  fails_with(scratch_.file("nothing"), "E111");
  fails_with(folder + " --update", "--baseline");
  fails_with(folder + " --tolerance '1 %'", "--baseline");
  fails_with(folder + " --tolerance 0.01 --baseline " + scratch_.file("b"),
             "cannot read --tolerance");
  fails_with(folder + " --format xml", "xml");
  fails_with(folder + " --measured x.json", "--measured");
  fs::create_directories(scratch_.file("empty"));
  fails_with(scratch_.file("empty"), "no scenario in");
}

TEST_F(CheckCommand, TwoScenariosDoNotShareABaseline) {
  fs::create_directories(scratch_.file("other"));
  write("other/one.json", scenario(8));
  const test::Ran ran =
      check(scratch_.file("other") + " --update --baseline " + scratch_.file("baselines"));
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("would share the baseline"));
  EXPECT_FALSE(fs::exists(scratch_.file("baselines/one.json")));
}

TEST_F(CheckCommand, AddsToTheSummaryOfAStepOnGitHub) {
  scratch_.write("summary.md", "of an earlier command\n");
  ::setenv("GITHUB_STEP_SUMMARY", scratch_.file("summary.md").c_str(), 1);
  const test::Ran ran = check_against("--format github");
  ::unsetenv("GITHUB_STEP_SUMMARY");
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.out, HasSubstr("::error file="));
  const std::string summary = test::read_file(scratch_.file("summary.md"));
  EXPECT_THAT(summary, ::testing::StartsWith("of an earlier command\n## vgsim check: failed\n"));
}

TEST_F(CheckCommand, TheSameCheckGivesTheSameBytes) {
  for (const char* format : {"text", "json", "junit", "github", "md"}) {
    const std::string options = std::string("--format ") + format;
    EXPECT_EQ(check_against(options).out, check_against(options).out) << format;
  }
}

}  // namespace check_command_test
}  // namespace vgsim
