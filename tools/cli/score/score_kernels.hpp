#pragma once

#include <string>
#include <vector>

#include "tools/cli/commands/commands.hpp"

namespace vgsim::scenario {
struct Library;
}

namespace vgsim::cli {

/// Whether there are tables of measured kernels among these.
[[nodiscard]] bool have_kernel_tables(const std::vector<std::string>& paths);

/// Scores what the models say of kernels, and writes it. Returns the exit code: that of bad input
/// also where cases stand between the tables, or options are given that only cases have.
int score_kernel_tables(const Options& options, const scenario::Library& library);

}  // namespace vgsim::cli
