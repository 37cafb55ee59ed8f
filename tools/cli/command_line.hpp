#pragma once

#include <string>

namespace vgsim::cli {

/// Parses the command line and runs its command. Returns an ExitCode, or 128 plus the number of the
/// signal that ended it. Throws exceptions of the commands. `program`: text of --version.
[[nodiscard]] int run_command_line(int argc, char** argv, const std::string& program);

}  // namespace vgsim::cli
