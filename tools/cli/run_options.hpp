#pragma once

#include <CLI/CLI.hpp>

#include "tools/cli/commands.hpp"

namespace vgsim::cli {

/// Adds the options that say how to run a scenario: fidelity, seeds, limits, short cuts.
void add_run_options(CLI::App& command, Options& options);

}  // namespace vgsim::cli
