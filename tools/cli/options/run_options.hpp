#pragma once

#include <string>

#include "tools/cli/cli_fwd.hpp"
#include "tools/cli/commands/commands.hpp"

namespace vgsim::cli {

CLI::App* add_run_command(CLI::App& app, Options& options);
CLI::App* add_validate_command(CLI::App& app, Options& options);
CLI::App* add_place_command(CLI::App& app, Options& options);

/// Adds --time-limit, a limit of real time.
void add_time_limit_option(CLI::App& command, Options& options, const std::string& about);

}  // namespace vgsim::cli
