#pragma once

#include <optional>
#include <string>

#include "tools/cli/cli_fwd.hpp"
#include "tools/cli/new/scenario_request.hpp"

namespace vgsim::cli {

/// Options of `vgsim new`.
struct NewOptions {
  ScenarioRequest request;
  bool force = false;              ///< overwrite an existing file
  std::optional<std::string> out;  ///< file instead of stdout
};

CLI::App* add_new_command(CLI::App& app, NewOptions& options);

/// Asks for missing options on a terminal.
[[nodiscard]] int new_command(NewOptions& options);

}  // namespace vgsim::cli
