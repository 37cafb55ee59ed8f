#include "tools/cli/commands/report_command.hpp"

#include <gmock/gmock.h>

#include "tests/tools/program.hpp"

namespace vgsim {
namespace report_command_test {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kScenario =
    std::string(VGSIM_SOURCE_DIR) + "/configs/scenarios/xe8545-4xa100.json";

TEST(ReportCommand, WritesAPageOrMarkdownAsTheFileIsCalled) {
  const test::Scratch scratch;
  const std::string page = scratch.file("r.html");
  EXPECT_EQ(test::run_program(scratch, "report " + kScenario + " --draws 0 -o " + page).exit_code,
            0);
  EXPECT_THAT(test::read_file(page), StartsWith("<!DOCTYPE html>"));
  const std::string text = scratch.file("r.md");
  EXPECT_EQ(test::run_program(scratch, "report " + kScenario + " --draws 0 -o " + text).exit_code,
            0);
  EXPECT_THAT(test::read_file(text), StartsWith("# "));
  const test::Ran ran =
      test::run_program(scratch, "report " + kScenario + " --draws 0 --format md");
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out, StartsWith("# "));
  EXPECT_EQ(ran.err, "");
}

TEST(ReportCommand, CanBeLimitedToLayoutsAndListsThem) {
  const test::Scratch scratch;
  const test::Ran one = test::run_program(
      scratch, "report " + kScenario + " --draws 0 --format md --layout passthrough");
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_THAT(one.out, HasSubstr("--layout passthrough"));
  const test::Ran typo =
      test::run_program(scratch, "report " + kScenario + " --format md --layout passtrough");
  EXPECT_EQ(typo.exit_code, 2);
  EXPECT_THAT(typo.err, HasSubstr("passthrough"));
  EXPECT_EQ(typo.out, "");
}

TEST(ReportCommand, WhatIsSetIsInTheReport) {
  const test::Scratch scratch;
  const test::Ran ran = test::run_program(
      scratch, "report " + kScenario + " --draws 0 --format md --set /job/batch_per_gpu=7");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\"batch_per_gpu\": 7"));
  EXPECT_THAT(ran.out, HasSubstr("--set /job/batch_per_gpu=7"));
}

/// What a person reads of a page in Markdown: all but the command that makes it again and the
/// scenario.
std::string read_by_people(const std::string& markdown) {
  return markdown.substr(0, markdown.find("Command:"));
}

TEST(ReportCommand, AMeetingSeesNoPathsAndNoOptions) {
  const test::Scratch scratch;
  const auto scenarios = std::filesystem::path(VGSIM_SOURCE_DIR) / "configs/scenarios";
  for (const char* name : {"imported-dgx-a100.json", "ring-25gbe.json"}) {
    const std::filesystem::path file = scratch.file("r.md");
    const test::Ran ran = test::run_program(
        scratch, "report " + (scenarios / name).string() + " --format md -o " + file.string());
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    const std::string page = test::read_file(file.string());
    EXPECT_THAT(page, Not(HasSubstr(VGSIM_SOURCE_DIR)));
    EXPECT_THAT(page, Not(HasSubstr(file.parent_path().string())));
    EXPECT_THAT(read_by_people(page), Not(ContainsRegex(" --[a-z]|vgsim [a-z]+ ")));
  }
}

TEST(ReportCommand, NothingIsWrittenWhereTheInputIsWrong) {
  const test::Scratch scratch;
  const std::string bad = scratch.write("bad.json", "{\"name\": 3}");
  const std::string page = scratch.file("r.html");
  const test::Ran ran = test::run_program(scratch, "report " + bad + " -o " + page);
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("bad.json:1:"));
  EXPECT_FALSE(std::filesystem::exists(page));
  EXPECT_EQ(test::run_program(scratch, "report " + kScenario + " --format pdf").exit_code, 2);
}

TEST(ReportCommand, OnlyAnHtmlReportContainsTheSimulator) {
  const test::Scratch scratch;
  const std::string file = scratch.file("r.md");
  const test::Ran ran =
      test::run_program(scratch, "report " + kScenario + " --with-simulator -o " + file);
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("--with-simulator"));
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(ReportCommand, TheCommandLineIsQuotedForAShell) {
  cli::ReportOptions options;
  options.scenario = "my scenario.json";
  options.layouts = {"vgpu, no group's"};
  options.draws = 5;
  options.with_simulator = true;
  options.out = "r.html";
  EXPECT_EQ(cli::command_line(options),
            "vgsim report 'my scenario.json' --layout 'vgpu, no group'\\''s' --draws 5 "
            "--with-simulator -o r.html");
}

}  // namespace report_command_test
}  // namespace vgsim
