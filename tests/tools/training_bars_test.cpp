#include "models/questions/read/training_bars.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/tools/program.hpp"
#include "topology/input/load_source.hpp"

namespace vgsim {
namespace training_bars_test {

using nlohmann::json;

/// The errors in a file of `vgsim score --output`.
std::vector<scenario::TrainingErrors> errors_in(const json& score) {
  std::vector<scenario::TrainingErrors> cases;
  for (const json& from : score.at("cases")) {
    scenario::TrainingErrors& errors = cases.emplace_back();
    errors.id = from.at("id");
    errors.counts = from.at("grade") != "C";
    for (const json& series : from.at("series")) {
      for (const json& point : series.at("points")) {
        if (!point.contains("error") || point.value("anchor", false)) continue;
        errors.all.push_back(point["error"]);
        const bool hard = point["keeps_batch"].get<bool>() &&
                          point["efficiency"].get<double>() < scenario::kHardToScale;
        if (hard) errors.hard.push_back(point["error"]);
      }
    }
  }
  return cases;
}

TEST(TrainingCases, MeetTheirBars) {
  const std::string folder = VGSIM_SOURCE_DIR "/tests/training-cases";
  const auto bars = scenario::read_training_bars(*input::load_source(folder + "/bars.json"));
  ASSERT_TRUE(bars) << input::render(bars.error());
  const test::Scratch scratch;
  const std::string output = scratch.file("score.json");
  const test::Ran ran = test::run_program(scratch, "score " + folder + " --output " + output);
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  // The program tells which points it could not run, and points that are missing are a miss.
  const auto cases = errors_in(json::parse(test::read_file(output)));
  EXPECT_EQ(cases.size(), 160u);
  EXPECT_THAT(scenario::missed_training_bars(cases, *bars), ::testing::IsEmpty());
}

}  // namespace training_bars_test
}  // namespace vgsim
