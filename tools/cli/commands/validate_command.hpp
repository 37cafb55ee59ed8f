#pragma once

#include "tools/cli/cli_fwd.hpp"
#include "tools/cli/options/scenario_options.hpp"

namespace vgsim::cli {

CLI::App* add_validate_command(CLI::App& app, ScenarioOptions& options);

/// Writes its result or messages and returns an ExitCode. Throws OutputError.
[[nodiscard]] int validate_command(const ScenarioOptions& options);

}  // namespace vgsim::cli
