#include "tools/cli/error_explanations.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/tools/program.hpp"
#include "topology/input/error_codes.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/machine/import_codes.hpp"

namespace vgsim::cli {
namespace error_explanations_test {

namespace fs = std::filesystem;
using nlohmann::json;

const std::string kSource = VGSIM_SOURCE_DIR;

ErrorExplanations explanations() {
  auto read = load_error_explanations(kSource + "/configs");
  EXPECT_TRUE(read) << input::render(read.error());
  return read ? *read : ErrorExplanations{};
}

/// Codes as literals of the program, each with the first file that has it.
std::map<std::string, std::string> codes_of_the_sources() {
  std::map<std::string, std::string> codes;
  for (const char* folder : {"sim", "topology", "models", "tools"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kSource + "/" + folder)) {
      const std::string ending = entry.path().extension().string();
      if (ending != ".cpp" && ending != ".hpp") continue;
      const std::string text = test::read_file(entry.path());
      for (std::size_t at = text.find('"'); at != text.npos; at = text.find('"', at + 1)) {
        const std::string word = text.substr(at + 1, 4);
        const bool ends = at + 5 < text.size() && text[at + 5] == '"';
        if (ends && as_error_code(word) == word) codes.emplace(word, entry.path().string());
      }
    }
  }
  return codes;
}

TEST(ErrorExplanations, EveryCodeOfTheProgramIsExplained) {
  const ErrorExplanations known = explanations();
  for (const auto& [code, file] : codes_of_the_sources()) {
    EXPECT_TRUE(known.contains(code)) << file << " has the code " << code
                                      << ", which configs/errors/errors.json does not explain";
  }
}

TEST(ErrorExplanations, NoCodeIsExplainedThatTheProgramDoesNotHave) {
  const auto codes = codes_of_the_sources();
  for (const auto& [code, error] : explanations()) EXPECT_TRUE(codes.contains(code)) << code;
}

TEST(ErrorExplanations, TheFileListsThemInTheirOrder) {
  const auto document =
      nlohmann::ordered_json::parse(test::read_file(kSource + "/configs/errors/errors.json"));
  std::vector<std::string> codes;
  for (const auto& [code, error] : document.at("errors").items()) codes.push_back(code);
  EXPECT_TRUE(std::is_sorted(codes.begin(), codes.end()));
}

TEST(ErrorExplanations, TitlesAreTheMeaningsThatTheProgramHas) {
  std::vector<input::ErrorCode> codes(input::error_codes().begin(), input::error_codes().end());
  const auto imports = topology::import_codes::all();
  codes.insert(codes.end(), imports.begin(), imports.end());
  const ErrorExplanations known = explanations();
  for (const input::ErrorCode& code : codes) {
    const auto found = known.find(std::string(code.code));
    ASSERT_NE(found, known.end()) << code.code;
    EXPECT_EQ(found->second.title, code.meaning) << code.code;
  }
}

TEST(ErrorExplanations, AnExplanationIsOneToFourSentencesThatEndInAStop) {
  for (const auto& [code, error] : explanations()) {
    EXPECT_FALSE(error.title.ends_with('.')) << code;
    for (const std::string& text : {error.why, error.remedy + "."}) {
      EXPECT_TRUE(text.ends_with('.')) << code << ": " << text;
      EXPECT_LE(text.size(), 420U) << code << ": " << text;
    }
  }
}

/// Examples in JSON reproduce their error: the whole text up to E199, then a change of a valid
/// scenario.
TEST(ErrorExplanations, ExamplesBringTheirErrorsAbout) {
  const test::Scratch scratch;
  const json good =
      json::parse(test::read_file(kSource + "/configs/scenarios/bert-large-4xr750xa.json"));
  std::size_t tried = 0;
  for (const auto& [code, error] : explanations()) {
    if (!error.example.starts_with('{')) continue;
    ++tried;
    std::string text = error.example;
    if (code >= "E200") {
      json changed = good;
      changed.merge_patch(json::parse(error.example));
      text = changed.dump();
    }
    const auto ran = test::run_program(scratch, "validate " + scratch.write("example.json", text));
    EXPECT_EQ(ran.exit_code, 2) << code;
    EXPECT_NE(ran.err.find("error " + code + ":"), std::string::npos) << code << "\n" << ran.err;
  }
  EXPECT_GE(tried, 20U);
}

TEST(ErrorExplanations, ACodeIsFoundInSmallLettersToo) {
  const ErrorExplanations known = explanations();
  EXPECT_EQ(explain_error(known, "e202"), explain_error(known, "E202"));
  ASSERT_TRUE(explain_error(known, "E202"));
  EXPECT_NE(explain_error(known, "E202")->find(known.at("E202").remedy.substr(0, 40)),
            std::string::npos);
}

TEST(ErrorExplanations, WhatIsNoCodeHasNoExplanation) {
  const ErrorExplanations known = explanations();
  for (const char* word : {"", "E", "E20", "E2020", "X202", "E2O2", "E999", "mmio-too-small"}) {
    EXPECT_FALSE(explain_error(known, word)) << word;
  }
}

TEST(ErrorExplanations, AFileOfAnotherShapeIsRefusedWithItsPlace) {
  const auto read = read_error_explanations(input::make_source(
      "errors.json", R"({"format": "vgsim.errors/1", "errors": {"E2O2": {"title": "a"}}})"));
  ASSERT_FALSE(read);
  std::set<std::string> codes;
  for (const auto& item : read.error().items()) codes.insert(item.code);
  EXPECT_EQ(codes, (std::set<std::string>{"E202", "E207"}));
}

}  // namespace error_explanations_test
}  // namespace vgsim::cli
