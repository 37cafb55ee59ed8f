#pragma once

#include <string>

namespace vgsim::cli {

/// Reads the command line and runs the command that it names. Returns an ExitCode, or 128 and the
/// number of the signal that ended it. Throws what commands throw. `program` is what --version
/// says.
[[nodiscard]] int run_command_line(int argc, char** argv, const std::string& program);

}  // namespace vgsim::cli
