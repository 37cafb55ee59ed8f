// --layout takes some of a scenario's layouts, in that order.

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/tools/program.hpp"

namespace vgsim {
namespace layout_option_test {

using nlohmann::ordered_json;
using test::Ran;
using test::run_program;
using test::Scratch;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::string kScenario = VGSIM_SOURCE_DIR "/configs/scenarios/bert-large-4xr750xa.json";

std::vector<std::string> layouts_in(const std::string& text) {
  std::vector<std::string> names;
  const ordered_json result = ordered_json::parse(text);
  for (const auto& [name, layout] : result.at("layouts").items()) names.push_back(name);
  return names;
}

class LayoutOption : public testing::Test {
 protected:
  LayoutOption() { all_ = layouts_in(run("validate " + kScenario + " --format json").out); }

  Ran run(const std::string& arguments) { return run_program(scratch_, arguments); }

  Scratch scratch_;
  std::vector<std::string> all_;
};

TEST_F(LayoutOption, TakesSomeInTheOrderGiven) {
  ASSERT_GE(all_.size(), 2U);
  const std::string two = " --layout '" + all_[1] + "' --layout '" + all_[0] + "'";
  for (const char* command : {"run --draws 0 ", "validate ", "place "}) {
    const Ran ran = run(command + kScenario + two + " --format json");
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_THAT(layouts_in(ran.out), ElementsAre(all_[1], all_[0])) << command;
  }
}

TEST_F(LayoutOption, TheFirstIsTheBaseOfComparison) {
  const Ran ran = run("run --draws 0 " + kScenario + " --layout '" + all_[1] + "' --layout '" +
                      all_[0] + "' --format json");
  const Ran plain = run("run --draws 0 " + kScenario + " --format json");
  const ordered_json own = ordered_json::parse(ran.out);
  for (const std::string& name : {all_[0], all_[1]}) {
    EXPECT_EQ(own["layouts"][name]["fingerprint"],
              ordered_json::parse(plain.out)["layouts"][name]["fingerprint"]);
  }
  EXPECT_EQ(own["layouts"].begin().key(), all_[1]);
}

TEST_F(LayoutOption, AnUnknownOneIsAnErrorWithTheNearest) {
  for (const char* command :
       {"run ", "validate ", "place ", "compare ", "explain ", "show ", "report --format md "}) {
    const Ran ran = run(command + kScenario + " --layout passthrouh");
    EXPECT_EQ(ran.exit_code, 2) << command;
    EXPECT_THAT(ran.err, HasSubstr("has no layout \"passthrouh\"")) << command;
    EXPECT_THAT(ran.err, HasSubstr("did you mean \"passthrough\"")) << command;
  }
}

TEST_F(LayoutOption, OfAScenarioWithoutLayoutsIsItsName) {
  const std::string file =
      scratch_.write("one.json", R"({"name": "alone", "hosts": {"h": {"server": "generic-1gpu"}},
                      "job": {"network": "resnet-50"}})");
  EXPECT_EQ(run("validate " + file + " --layout alone").exit_code, 0);
  EXPECT_THAT(run("validate " + file + " --layout other").err, HasSubstr("one of: alone"));
}

TEST_F(LayoutOption, ComparesSomeLayoutsOfAFile) {
  const Ran ran = run("compare " + kScenario + " --draws 0 --format json --layout '" + all_[1] +
                      "' --layout '" + all_[0] + "'");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_LT(ran.out.find(all_[1]), ran.out.find('"' + all_[0] + '"'));
}

}  // namespace layout_option_test
}  // namespace vgsim
