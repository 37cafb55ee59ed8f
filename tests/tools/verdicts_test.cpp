#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/tools/program.hpp"

namespace vgsim {
namespace verdicts_test {

using nlohmann::json;

const std::string kVerdicts = VGSIM_SOURCE_DIR "/tests/verdicts";

/// A table with a correct verdict and a wrong one.
std::string own_table(const test::Scratch& scratch) {
  return scratch.write("own.json", R"({"format": "vgsim.verdicts/1", "area": "own", "title": "Own",
    "sources": {"guide": {"title": "A guide", "address": "https://example.org/guide", "date": "2024",
                          "evidence": "excerpt"}},
    "bases": {"vm": {"name": "one", "hosts": {"e": {"server": "generic-1gpu"}},
      "vms": {"v": {"host": "e"}}, "job": {"network": "resnet-50", "batch_per_gpu": 4}}},
    "verdicts": [
      {"id": "runs", "claim": "A VM with a GPU runs.", "sources": ["guide"], "base": "vm",
       "expect": "supported"},
      {"id": "bios", "claim": "Old firmware is fine.", "sources": ["guide"], "base": "vm",
       "change": {"vms": {"v": {"firmware": "bios"}}}, "expect": "supported"}]})");
}

TEST(VerdictTables, SayWhatIsWrongAndWhy) {
  const test::Scratch scratch;
  const test::Ran ran = test::run_program(scratch, "score " + own_table(scratch));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  for (const char* part :
       {"verdicts: 1 of 2 right, 0 false accepts, 1 false refusal, 0 wrong reasons",
        "own/bios: false refusal", "claim: Old firmware is fine.",
        "A guide (2024), https://example.org/guide", "expected: supported", "got: refused",
        "[firmware-not-efi]"}) {
    EXPECT_NE(ran.out.find(part), std::string::npos) << part << "\n" << ran.out;
  }
}

TEST(VerdictTables, MissTheirThresholds) {
  const test::Scratch scratch;
  const std::string bars = scratch.write(
      "bars.json", R"({"format": "vgsim.bars/2", "parts": {"all": {"false_refusals": 0}}})");
  const test::Ran ran =
      test::run_program(scratch, "score " + own_table(scratch) + " --thresholds " + bars);
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_EQ(ran.err, "missed: all: false refusals 1 for 0 at most\n");
}

// A third of the verdicts combine sources, and both directions are there in every area.
TEST(VerdictTables, CoverBothDirectionsAndCombinations) {
  std::size_t all = 0;
  std::size_t combined = 0;
  std::size_t supported = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kVerdicts)) {
    if (entry.path().extension() != ".json" || entry.path().filename() == "bars.json") continue;
    const json table = json::parse(test::read_file(entry.path().string()));
    std::size_t here = 0;
    for (const json& verdict : table.at("verdicts")) {
      here += verdict.at("expect") == "supported" ? 1U : 0U;
      combined += verdict.contains("combined") ? 1U : 0U;
    }
    EXPECT_GT(here, 0u) << entry.path();
    EXPECT_LT(here, table.at("verdicts").size()) << entry.path();
    all += table.at("verdicts").size();
    supported += here;
  }
  EXPECT_GE(all, 120u);
  EXPECT_GE(3 * combined, all);
  EXPECT_GE(100 * supported, 45 * all);
}

}  // namespace verdicts_test
}  // namespace vgsim
