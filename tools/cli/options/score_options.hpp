#pragma once

#include "tools/cli/cli_fwd.hpp"
#include "tools/cli/commands/commands.hpp"

namespace vgsim::cli {

/// Adds the command `score` with its options.
CLI::App* add_score_command(CLI::App& app, Options& options);

}  // namespace vgsim::cli
