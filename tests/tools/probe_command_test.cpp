#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/tools/program.hpp"

namespace vgsim {
namespace probe_command_test {

using ::testing::HasSubstr;

/// Where a machine has GPUs this would measure them.
TEST(ProbeCommand, ReportsWhyThereIsNothingToMeasure) {
  if (std::filesystem::exists("/dev/nvidiactl")) GTEST_SKIP() << "this machine has a GPU";
  const test::Scratch scratch;
  const test::Ran ran = test::run_program(scratch, "probe --quick -o " + scratch.file("host.json"));
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("nothing to measure: "));
  EXPECT_FALSE(std::filesystem::exists(scratch.file("host.json")));
}

}  // namespace probe_command_test
}  // namespace vgsim
