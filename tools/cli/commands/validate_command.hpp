#pragma once

#include "tools/cli/cli_fwd.hpp"
#include "tools/cli/options/scenario_options.hpp"

namespace vgsim::cli {

CLI::App* add_validate_command(CLI::App& app, ScenarioOptions& options);

/// Returns an ExitCode and has written its result or its messages. Throws OutputError.
[[nodiscard]] int validate_command(const ScenarioOptions& options);

}  // namespace vgsim::cli
