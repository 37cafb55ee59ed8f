// From any folder, a shipped scenario is found by its name or its place in the source tree.

#include <gmock/gmock.h>

#include <filesystem>

#include "tests/tools/program.hpp"

namespace vgsim {
namespace shipped_scenario_test {

using test::Ran;
using test::run_program;
using test::Scratch;
using testing::AllOf;
using testing::HasSubstr;

class ShippedScenario : public testing::Test {
 protected:
  Ran place(const std::string& scenario) {
    return run_program(scratch_, "place " + scenario + " --format json");
  }

  Scratch scratch_;
};

TEST_F(ShippedScenario, IsFoundByNameOrPlace) {
  const Ran expected = place(VGSIM_SOURCE_DIR "/configs/scenarios/questions/q05-nic-upgrade.json");
  ASSERT_EQ(expected.exit_code, 0) << expected.err;
  for (const char* word : {"q05-nic-upgrade", "q05-nic-upgrade.json",
                           "configs/scenarios/questions/q05-nic-upgrade.json"}) {
    const Ran ran = place(word);
    EXPECT_EQ(ran.exit_code, 0) << word << ran.err;
    EXPECT_EQ(ran.out, expected.out) << word;
  }
}

TEST_F(ShippedScenario, IsFoundByAllCommandsThatTakeOne) {
  for (const char* command : {"validate", "run --draws 0", "compare --draws 0", "explain", "show",
                              "report --format md --draws 0", "check"}) {
    const Ran ran = run_program(scratch_, std::string(command) + " xe8545-4xa100");
    EXPECT_EQ(ran.exit_code, 0) << command << ran.err;
  }
}

TEST_F(ShippedScenario, FindsFilesRelativeToItself) {
  EXPECT_EQ(place("imported-dgx-a100").exit_code, 0) << "reads dumps/dgx-a100-class.xml";
}

TEST_F(ShippedScenario, YieldsToWhatLiesInTheFolder) {
  scratch_.write("q05-nic-upgrade", "{ \"name\": 7 }");
  std::filesystem::create_directory(scratch_.file("q05-nic-upgrad"));
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(scratch_.file(""));
  const Ran file = place("q05-nic-upgrade");
  const Ran folder = place("q05-nic-upgrad");
  std::filesystem::current_path(before);
  EXPECT_THAT(file.err, HasSubstr("q05-nic-upgrade:1:11: error"));
  EXPECT_THAT(folder.err, HasSubstr("is a directory")) << "not that there is no such file";
}

TEST_F(ShippedScenario, IsProposedForANameThatIsNearlyIts) {
  const Ran ran = place("q05-nic-upgrad");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("E111"), HasSubstr("\"q05-nic-upgrade\"")));
  EXPECT_THAT(place("nothing-like-it.json").err, HasSubstr("cannot read \"nothing-like-it.json\""));
  EXPECT_THAT(place("configs/scenarios/none.json").err,
              HasSubstr("cannot read \"configs/scenarios/none.json\""));
}

}  // namespace shipped_scenario_test
}  // namespace vgsim
