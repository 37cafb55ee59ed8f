#pragma once

#include <optional>
#include <string>

#include "tools/cli/cli_fwd.hpp"

namespace vgsim::cli {

/// Options of `vgsim help`.
struct HelpOptions {
  std::string word;                ///< a command or a topic; empty: a list of both
  std::optional<std::string> out;  ///< file instead of stdout
};

/// Makes help_text() the help of all commands that are added to `app` afterwards.
void set_help_text(CLI::App& app);

CLI::App* add_help_command(CLI::App& app, HelpOptions& options);

/// `app` is the root of the command line.
[[nodiscard]] int help_command(const CLI::App& app, const HelpOptions& options);

}  // namespace vgsim::cli
