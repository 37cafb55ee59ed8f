#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "tests/tools/program.hpp"

namespace vgsim {
namespace probe_cases_test {

const std::string kProbe = VGSIM_SOURCE_DIR "/tests/cases/probe/";

std::string measured(const std::string& machine) { return kProbe + machine + "/measurement.json"; }

/// Median error of what is predicted of a machine, with these further arguments.
double median_error(const std::string& machine, const std::string& arguments) {
  const test::Scratch scratch;
  const test::Ran ran =
      test::run_program(scratch, "check --measured " + measured(machine) + arguments);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  std::smatch found;
  const std::regex verdict(R"(holds: ([0-9.]+) % median error)");
  if (!std::regex_search(ran.out, found, verdict)) throw std::runtime_error(ran.out);
  return std::stod(found[1]);
}

// An H100 and an H200, in no fit of what is shipped: 9 and 10 % in the median, and 6 and 8 % with
// what was fitted to the other one of the two.
TEST(ProbeCases, ACalibrationOfOneMachineHelpsWithTheOther) {
  for (const auto& [machine, other] :
       {std::pair("h100-sxm-kvm", "h200-sxm-kvm"), std::pair("h200-sxm-kvm", "h100-sxm-kvm")}) {
    const double unmeasured = median_error(machine, "");
    const double by_the_other =
        median_error(machine, " --calibration " + kProbe + other + "/calibration.json");
    EXPECT_LE(unmeasured, 12) << machine;
    EXPECT_LE(by_the_other, 9) << machine;
    EXPECT_LT(by_the_other, unmeasured) << machine;
  }
}

TEST(ProbeCases, CalibrationsAreReproduced) {
  for (const std::string machine : {"h100-sxm-kvm", "h200-sxm-kvm"}) {
    const test::Scratch scratch;
    const std::string output = scratch.file("calibration.json");
    const test::Ran ran =
        test::run_program(scratch, "calibrate --validation-share 0.5 --date 2026-11-26 --name " +
                                       machine + " -o " + output + " " + measured(machine));
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(test::read_file(output), test::read_file(kProbe + machine + "/calibration.json"));
    const std::string comparison = test::read_file(kProbe + machine + "/comparison.txt");
    EXPECT_NE(comparison.find("validation"), std::string::npos);
    EXPECT_EQ(comparison.find("ABOVE"), std::string::npos);
  }
}

}  // namespace probe_cases_test
}  // namespace vgsim
