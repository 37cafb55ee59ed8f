#pragma once

#include "tools/cli/cli_fwd.hpp"
#include "tools/cli/commands/commands.hpp"

namespace vgsim::cli {

CLI::App* add_probe_command(CLI::App& app, Options& options);
CLI::App* add_calibrate_command(CLI::App& app, Options& options);

}  // namespace vgsim::cli
