#pragma once

#include <string>

#include "tools/cli/cli_fwd.hpp"
#include "tools/cli/commands.hpp"

namespace vgsim::cli {

/// Adds the options that say how to run a scenario: fidelity, seeds, limits, short cuts.
void add_run_options(CLI::App& command, Options& options);

/// Adds --time-limit, a limit of real time.
void add_time_limit_option(CLI::App& command, Options& options, const std::string& about);

}  // namespace vgsim::cli
