#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <pugixml.hpp>

#include "tests/tools/program.hpp"

namespace vgsim {
namespace ci_examples_test {

namespace fs = std::filesystem;

/// A repository as in the examples, with one scenario and its baseline: tools/vgsim is this
/// program, and tools/setup does nothing.
class CiExample : public ::testing::Test {
 protected:
  CiExample() {
    const std::string shipped = std::string(VGSIM_SOURCE_DIR) + "/configs/scenarios/";
    for (const char* folder : {"tools", "configs/scenarios/baselines"}) {
      fs::create_directories(scratch_.file(folder));
    }
    script("tools/vgsim", "exec " VGSIM_PROGRAM " \"$@\"");
    script("tools/setup", "true");
    for (const char* name : {"xe8545-4xa100.json", "baselines/xe8545-4xa100.json"}) {
      fs::copy_file(shipped + name, scratch_.file(std::string("configs/scenarios/") + name));
    }
  }

  void script(const std::string& name, const std::string& line) {
    scratch_.write(name, "#!/bin/sh\n" + line + "\n");
    fs::permissions(scratch_.file(name), fs::perms::owner_all);
  }

  static YAML::Node example(const std::string& name) {
    return YAML::LoadFile(std::string(VGSIM_SOURCE_DIR) + "/configs/ci/" + name);
  }

  /// Runs the lines as a CI runner does: in the repository, with these variables, until one
  /// fails.
  int run(const YAML::Node& variables, const std::string& lines) {
    std::string text =
        "set -e\ncd " + scratch_.file("") + "\nexport GITHUB_ENV=env CI_PROJECT_DIR=.\n";
    for (const auto& variable : variables) {
      text += "export " + variable.first.as<std::string>() + "=\"" +
              variable.second.as<std::string>() + "\"\n";
    }
    const std::string file = scratch_.write("run.sh", text + lines);
    const int status = std::system(("sh " + file + " >" + scratch_.file("log") + " 2>&1").c_str());
    return WEXITSTATUS(status);
  }

  /// The file that a job keeps has been written by the program.
  void expect_junit(const std::string& name, bool fails) {
    pugi::xml_document junit;
    ASSERT_TRUE(junit.load_file(scratch_.file(name).c_str()));
    EXPECT_EQ(junit.child("testsuites").attribute("failures").as_int() > 0, fails);
  }

  void change_the_batch() {
    const std::string name = "configs/scenarios/xe8545-4xa100.json";
    std::string text = test::read_file(scratch_.file(name));
    const std::string batch = "\"batch_per_gpu\": ";
    text.insert(text.find(batch) + batch.size(), "1");
    scratch_.write(name, text);
  }

  test::Scratch scratch_;
};

TEST_F(CiExample, ForGitHubHoldsAndFailsAsItShould) {
  const YAML::Node workflow = example("github-actions.yml");
  const YAML::Node job = workflow["jobs"]["check"];
  std::string lines;
  std::string kept;
  for (const auto& step : job["steps"]) {
    if (step["run"]) lines += step["run"].as<std::string>() + "\n";
    if (step["with"] && step["with"]["path"]) kept = step["with"]["path"].as<std::string>();
  }
  ASSERT_NE(lines.find("vgsim check"), std::string::npos);
  EXPECT_EQ(run(workflow["env"], lines), 0) << test::read_file(scratch_.file("log"));
  expect_junit(kept, false);
  change_the_batch();
  EXPECT_EQ(run(workflow["env"], lines), 1);
  EXPECT_NE(test::read_file(scratch_.file("log"))
                .find("::error file=configs/scenarios/xe8545-4xa100"
                      ".json,line="),
            std::string::npos);
  expect_junit(kept, true);
}

TEST_F(CiExample, ForGitLabHoldsAndFailsAsItShould) {
  const YAML::Node job = example("gitlab-ci.yml")["check-sizing-models"];
  std::string lines;
  for (const auto& line : job["script"]) lines += line.as<std::string>() + "\n";
  const std::string kept = job["artifacts"]["reports"]["junit"].as<std::string>();
  ASSERT_NE(lines.find("vgsim check"), std::string::npos);
  EXPECT_EQ(run(job["variables"], lines), 0) << test::read_file(scratch_.file("log"));
  expect_junit(kept, false);
  for (const auto& path : job["artifacts"]["paths"]) {
    EXPECT_TRUE(fs::exists(scratch_.file(path.as<std::string>()))) << path;
  }
  change_the_batch();
  EXPECT_EQ(run(job["variables"], lines), 1);
  expect_junit(kept, true);
}

}  // namespace ci_examples_test
}  // namespace vgsim
