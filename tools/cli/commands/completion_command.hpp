#pragma once

#include <optional>
#include <string>

#include "tools/cli/cli_fwd.hpp"

namespace vgsim::cli {

/// Options of `vgsim completion`.
struct CompletionOptions {
  std::string shell;               ///< "bash", "zsh" or "fish"
  std::optional<std::string> out;  ///< file instead of stdout
};

CLI::App* add_completion_command(CLI::App& app, CompletionOptions& options);

/// Writes the script for the whole command line; `app` is its root.
[[nodiscard]] int completion_command(const CLI::App& app, const CompletionOptions& options);

}  // namespace vgsim::cli
