#pragma once

#include <gtest/gtest.h>

#include <filesystem>

namespace vgsim::test {

/// Dumps, logs and runs that others made, which not everyone has: the folder $VGSIM_SHARED, else
/// the one that CMake's VGSIM_SHARED names.
[[nodiscard]] std::filesystem::path extra_files();

/// Skips the running test if they are missing. Tests that need them have a name that begins with
/// "Extra" (of a suite, or of an instance of one): CTest lists them, under the label "extra",
/// only if the folder existed when the build was configured.
void skip_without_extra_files();

/// A suite of such tests.
class NeedsExtraFiles : public ::testing::Test {
 protected:
  void SetUp() override { skip_without_extra_files(); }
};

}  // namespace vgsim::test
