#pragma once

#include "tools/cli/cli_fwd.hpp"
#include "tools/cli/commands/commands.hpp"

namespace vgsim::cli {

CLI::App* add_nccl_command(CLI::App& app, Options& options);

}  // namespace vgsim::cli
