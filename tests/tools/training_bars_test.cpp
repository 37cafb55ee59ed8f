#include <gtest/gtest.h>

#include "tests/tools/program.hpp"

namespace vgsim {
namespace training_bars_test {

const std::string kCases = VGSIM_SOURCE_DIR "/tests/training-cases";

TEST(TrainingCases, MeetTheirBars) {
  const test::Scratch scratch;
  const test::Ran ran =
      test::run_program(scratch, "score " + kCases + " --bars " + kCases + "/bars.json");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
}

TEST(TrainingCases, AMissedBarIsNamedAndExitsWithOne) {
  const test::Scratch scratch;
  const std::string bars = scratch.write(
      "bars.json",
      R"({"format": "vgsim.training-bars/1", "all": {"points": 100000}, "hard_to_scale": {}})");
  const test::Ran ran =
      test::run_program(scratch, "score " + kCases + "/lambda-a40.json --bars " + bars);
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.err.find("missed: all: 29 points for 100000 at least"), std::string::npos)
      << ran.err;
}

TEST(TrainingCases, BarsOfCollectivesAreNoneOfTraining) {
  const test::Scratch scratch;
  const test::Ran ran = test::run_program(scratch, "score " + kCases +
                                                       "/lambda-a40.json --bars " VGSIM_SOURCE_DIR
                                                       "/tests/cases/bars.json");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_NE(ran.err.find("bars.json"), std::string::npos) << ran.err;
}

}  // namespace training_bars_test
}  // namespace vgsim
