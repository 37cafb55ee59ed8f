#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/program.hpp"

namespace vgsim {
namespace virtual_cases_test {

using nlohmann::json;

const std::string kVirtualCases = VGSIM_SOURCE_DIR "/tests/virtual-cases";

TEST(VirtualScoring, CasesMeetTheirBars) {
  const test::Scratch scratch;
  const test::Ran ran = test::run_program(
      scratch, "score " + kVirtualCases + " --thresholds " + kVirtualCases + "/bars.json");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
}

TEST(VirtualScoring, AMissedBarIsNamedAndExitsWithOne) {
  const test::Scratch scratch;
  const std::string bars =
      scratch.write("bars.json", R"({"format": "vgsim.bars/2", "parts": {"stun": {"median": 0}}})");
  const test::Ran ran = test::run_program(
      scratch, "score " + kVirtualCases + "/vmotion-stun-v100-10gbe.json --thresholds " + bars);
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.err.find("missed: stun: median "), std::string::npos) << ran.err;
}

TEST(VirtualScoring, BlindPointsArePredictedWhereTheyStandInTheirSource) {
  const test::Scratch scratch;
  const test::Ran ran = test::run_program(scratch, "score " VGSIM_SOURCE_DIR
                                                   "/tests/virtual-cases-blind "
                                                   "--predictions " +
                                                       scratch.file("predictions.json"));
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const json predictions = json::parse(test::read_file(scratch.file("predictions.json")));
  std::size_t predicted = 0;
  for (const auto& [id, series] : predictions.items()) {
    for (const auto& [name, values] : series.items()) {
      for (const json& value : values) predicted += value.is_number() ? 1U : 0U;
    }
  }
  EXPECT_EQ(predictions.size(), 12u);
  EXPECT_EQ(predicted, 53u);
  // Times are in the source's milliseconds.
  const double latency = predictions.at("rtx2000ada-timeslice-vllm-0.5b").at("e2e")[1];
  EXPECT_GT(latency, 825.0);
  EXPECT_LT(latency, 8250.0);
}

}  // namespace virtual_cases_test
}  // namespace vgsim
