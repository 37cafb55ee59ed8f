#pragma once

#include <optional>
#include <string>

#include "tools/cli/cli_fwd.hpp"
#include "tools/cli/new/wishes.hpp"

namespace vgsim::cli {

/// What `vgsim new` is asked for.
struct NewOptions {
  NewWishes wishes;
  bool force = false;              ///< write over a file that is there
  std::optional<std::string> out;  ///< file instead of stdout
};

CLI::App* add_new_command(CLI::App& app, NewOptions& options);

/// Asks for what is not said if a terminal is there to answer.
[[nodiscard]] int new_command(NewOptions& options);

}  // namespace vgsim::cli
