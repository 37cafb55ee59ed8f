#include "tools/cli/reference/commands_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/program.hpp"

namespace vgsim::cli {
namespace commands_page_test {

using testing::HasSubstr;

Command small_program() {
  Command cut{"cut", "cut a rope", "", "", {}, {}, {}};
  cut.positionals = {{{"rope"}, "the rope", "ROPE", {}, true, true}};
  cut.options = {{{"-h", "--help"}, "help", "", {}, false, false},
                 {{"-l", "--length"}, "of a piece", "METRES", {}, true, false}};
  cut.footer =
      "\nExamples:\n  small cut rope -l 3\n  small cut a b -l 4     two ropes\n\nA rope has\ntwo "
      "ends.";
  Command program{"small", "Does little", "", "", {}, {}, {}};
  program.commands = {cut};
  return program;
}

TEST(CommandsPage, ShowsWhatACommandTakes) {
  const std::string page = commands_page(small_program());
  EXPECT_THAT(page, HasSubstr("### small cut\n\nCut a rope.\n"));
  EXPECT_THAT(page, HasSubstr("small cut --length METRES ROPE ...\n"));
  EXPECT_THAT(page, HasSubstr("* `ROPE`: the rope\n* `-l, --length METRES`: of a piece\n"));
}

TEST(CommandsPage, ExamplesCanBeTypedAsTheyStand) {
  EXPECT_THAT(
      commands_page(small_program()),
      HasSubstr("```sh\nsmall cut rope -l 3\nsmall cut a b -l 4  # two ropes\n```\n\nA rope "
                "has two ends.\n"));
}

TEST(CommandsPage, EndsWithExitStatusAndEnvironmentAsTheManualPageDoes) {
  const test::Scratch scratch;
  const std::string page = test::run_program(scratch, "man --format md").out;
  const std::string manual = test::run_program(scratch, "man").out;
  for (const char* word : {"A bug in vgsim.", "If set and not empty"}) {
    EXPECT_THAT(page, HasSubstr(word));
    EXPECT_THAT(manual, HasSubstr(word));
  }
}

}  // namespace commands_page_test
}  // namespace vgsim::cli
