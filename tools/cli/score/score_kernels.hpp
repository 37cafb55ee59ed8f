#pragma once

#include <string>
#include <vector>

#include "tools/cli/commands/commands.hpp"

namespace vgsim::scenario {
struct Library;
}

namespace vgsim::cli {

/// Whether all of these are tables of measured kernels.
[[nodiscard]] bool are_kernel_tables(const std::vector<std::string>& paths);

/// Scores what the models say of kernels, and writes it. Returns the exit code.
int score_kernel_tables(const Options& options, const scenario::Library& library);

}  // namespace vgsim::cli
