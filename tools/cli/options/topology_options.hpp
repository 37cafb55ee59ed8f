#pragma once

#include "tools/cli/cli_fwd.hpp"
#include "tools/cli/commands/commands.hpp"

namespace vgsim::cli {

/// Commands about topologies, with their options.
CLI::App* add_import_command(CLI::App& app, Options& options);
CLI::App* add_export_command(CLI::App& app, Options& options);

}  // namespace vgsim::cli
