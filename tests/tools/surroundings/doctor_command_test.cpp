#include "tools/cli/commands/doctor_command.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "tests/tools/program.hpp"

namespace vgsim::cli {
namespace doctor_command_test {

namespace fs = std::filesystem;
using doctor::Check;
using doctor::State;
using nlohmann::json;

const std::string kConfigs = std::string(VGSIM_SOURCE_DIR) + "/configs";

/// A configs folder of this test's own, as it is shipped.
class DoctorTest : public ::testing::Test {
 protected:
  DoctorTest() { fs::copy(kConfigs, configs_, fs::copy_options::recursive); }

  test::Ran run(const std::string& arguments) const {
    const char* before = std::getenv("VGSIM_CONFIGS");
    const std::optional<std::string> old =
        before ? std::optional<std::string>(before) : std::nullopt;
    ::setenv("VGSIM_CONFIGS", configs_.c_str(), 1);
    auto ran = test::run_program(scratch_, "doctor " + arguments);
    if (old) {
      ::setenv("VGSIM_CONFIGS", old->c_str(), 1);
    } else {
      ::unsetenv("VGSIM_CONFIGS");
    }
    return ran;
  }

  void damage(const std::string& file) const { scratch_.write("configs/" + file, "{ \"a\": "); }

  test::Scratch scratch_;
  std::string configs_ = scratch_.file("configs");
};

Check found(const std::vector<Check>& checks, const std::string& subject) {
  for (const Check& check : checks) {
    if (check.subject == subject) return check;
  }
  ADD_FAILURE() << subject;
  return {};
}

TEST_F(DoctorTest, TheShippedFolderIsWell) {
  const auto ran = run("--format json");
  EXPECT_EQ(ran.exit_code, 0) << ran.out;
  const json told = json::parse(ran.out);
  EXPECT_EQ(told.at("schema"), "vgsim.doctor/1");
  EXPECT_TRUE(told.at("healthy").get<bool>());
}

TEST_F(DoctorTest, CountsTheFilesAndPartsThatThereAre) {
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(configs_)) {
    files += entry.path().extension() == ".json" ? 1U : 0U;
  }
  std::size_t parts = 0;
  for (const auto& entry : fs::directory_iterator(configs_ + "/catalog")) {
    parts += json::parse(test::read_file(entry.path())).at("entries").size();
  }
  const auto checks = doctor::check_configs(configs_);
  EXPECT_NE(found(checks, "configs folder").found.find(std::to_string(files) + " JSON files"),
            std::string::npos);
  EXPECT_TRUE(found(checks, "content").found.starts_with(std::to_string(parts) + " parts"));
}

TEST_F(DoctorTest, ADamagedFileIsWrongAndNamed) {
  for (const char* file : {"networks/bert-large.json", "scenarios/ring-25gbe.json",
                           "calibrations/a100-nvswitch.json", "errors/errors.json"}) {
    const std::string whole = test::read_file(configs_ + "/" + file);
    damage(file);
    const auto ran = run("");
    EXPECT_EQ(ran.exit_code, 2) << file;
    EXPECT_NE(ran.out.find("wrong"), std::string::npos) << file;
    EXPECT_NE(ran.out.find(fs::path(file).filename().string()), std::string::npos) << ran.out;
    scratch_.write(std::string("configs/") + file, whole);
  }
}

TEST_F(DoctorTest, ACalibrationThatDoesNotFitIsWrong) {
  const std::string file = configs_ + "/calibrations/a100-nvswitch.json";
  json calibration = json::parse(test::read_file(file));
  calibration["parameters"].begin()->erase("low");
  scratch_.write("configs/calibrations/a100-nvswitch.json", calibration.dump());
  EXPECT_EQ(found(doctor::check_configs(configs_), "content").state, State::kWrong);
}

TEST_F(DoctorTest, AFolderThatIsNotThereIsWrongWithWhatToDo) {
  fs::remove_all(configs_);
  const auto ran = run("--format json");
  EXPECT_EQ(ran.exit_code, 2);
  const json told = json::parse(ran.out);
  for (const json& check : told.at("checks")) {
    const bool wrong = check.at("state") == "wrong";
    EXPECT_EQ(wrong, check.at("subject") == "configs folder");
    if (wrong) {
      EXPECT_NE(check.at("advice").get<std::string>().find("VGSIM_CONFIGS"), std::string::npos);
    }
  }
}

TEST_F(DoctorTest, WhatOnlyTheProbeNeedsIsNeverWrong) {
  for (const Check& check : doctor::check_gpus()) EXPECT_NE(check.state, State::kWrong);
}

TEST(DoctorText, HasInWordsWhatColourShows) {
  const std::vector<Check> checks = {{State::kOk, "cores", "2 cores", ""},
                                     {State::kNote, "memory", "1 GB", "raise the limit"},
                                     {State::kWrong, "configs folder", "no folder", "restore it"}};
  const std::string plain = doctor_text(checks, text::Style{});
  EXPECT_EQ(plain.find('\x1b'), std::string::npos);
  for (const char* part :
       {"ok     cores", "note   memory", "wrong  configs", "-> restore it", "1 problem (1 note)"}) {
    EXPECT_NE(plain.find(part), std::string::npos) << part << "\n" << plain;
  }
  std::string colored = doctor_text(checks, text::Style{true});
  for (std::size_t at = colored.find('\x1b'); at != colored.npos; at = colored.find('\x1b')) {
    colored.erase(at, colored.find('m', at) - at + 1);
  }
  EXPECT_EQ(colored, plain);
}

TEST(DoctorText, EveryLineIsUpToAHundredColumnsWide) {
  std::string words;
  for (int i = 0; i < 60; ++i) words += "word ";
  std::istringstream lines(doctor_text({{State::kNote, "a subject", words, words}}, text::Style{}));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
}

TEST(DoctorJson, IsUnwellExactlyWhereSomethingIsWrong) {
  const Check good{State::kOk, "a", "b", ""};
  const Check note{State::kNote, "a", "b", "c"};
  const Check bad{State::kWrong, "a", "b", "c"};
  EXPECT_TRUE(json::parse(doctor_json({good, note})).at("healthy").get<bool>());
  EXPECT_FALSE(json::parse(doctor_json({good, bad})).at("healthy").get<bool>());
}

}  // namespace doctor_command_test
}  // namespace vgsim::cli
