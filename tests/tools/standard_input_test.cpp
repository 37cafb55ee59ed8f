// "-" is standard input wherever a scenario is read.

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/tools/program.hpp"

namespace vgsim {
namespace standard_input_test {

using nlohmann::json;
using test::Ran;
using test::run_program;
using test::Scratch;
using testing::HasSubstr;

const std::string kScenario = VGSIM_SOURCE_DIR "/configs/scenarios/questions/q05-nic-upgrade.json";

class StandardInput : public testing::Test {
 protected:
  Ran from(const std::string& file, const std::string& arguments) {
    return run_program(scratch_, arguments + " <" + file);
  }

  Scratch scratch_;
};

TEST_F(StandardInput, GivesWhatTheFileGives) {
  for (const char* command : {"run - --draws 0", "validate -", "place -", "compare - --draws 0",
                              "explain - --layout '25 Gbit/s'", "show -",
                              "report - --format md --draws 0 --layout '25 Gbit/s'", "check -"}) {
    const Ran ran = from(kScenario, command);
    EXPECT_EQ(ran.exit_code, 0) << command << ran.err;
    EXPECT_GT(ran.out.size(), 40U) << command;
  }
  EXPECT_EQ(from(kScenario, "place -").out, run_program(scratch_, "place " + kScenario).out);
  EXPECT_EQ(from(kScenario, "explain -").out, run_program(scratch_, "explain " + kScenario).out);
}

TEST_F(StandardInput, CanBeAResultToo) {
  const std::string saved = scratch_.file("saved.json");
  ASSERT_EQ(
      run_program(scratch_, "run --draws 0 --format json " + kScenario + " -o " + saved).exit_code,
      0);
  const json again = json::parse(from(saved, "run - --draws 0 --format json").out);
  EXPECT_EQ(again["layouts"], json::parse(test::read_file(saved))["layouts"]);
}

TEST_F(StandardInput, IsReadOnceForSeveralLayouts) {
  const Ran ran = from(kScenario, "compare - --layout '25 Gbit/s' --layout '100 Gbit/s' --draws 0");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
}

TEST_F(StandardInput, HasPositionsInErrors) {
  const std::string file = scratch_.write("bad.json", "{\n  \"name\": 7\n}\n");
  EXPECT_THAT(from(file, "run -").err, HasSubstr("<stdin>:2:11: error"));
  EXPECT_THAT(from(file, "check -").err, HasSubstr("<stdin>:2:11: error"));
}

TEST_F(StandardInput, NamesFilesOfTheWorkingFolder) {
  std::filesystem::create_directories(scratch_.file("there"));
  scratch_.write("there/net.json",
                 test::read_file(VGSIM_SOURCE_DIR "/configs/networks/vgg-16.json"));
  const std::string file =
      scratch_.write("s.json", R"({"name": "s", "hosts": {"h": {"server": "generic-1gpu"}},
                    "job": {"network": "net.json"}})");
  const std::string command = "cd " + scratch_.file("there") + " && " + VGSIM_PROGRAM +
                              " validate - <" + file + " >/dev/null 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_NE(from(file, "validate -").exit_code, 0) << "it lies elsewhere";
}

}  // namespace standard_input_test
}  // namespace vgsim
