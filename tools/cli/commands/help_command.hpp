#pragma once

#include <optional>
#include <string>

#include "tools/cli/cli_fwd.hpp"

namespace vgsim::cli {

/// What `vgsim help` is asked for.
struct HelpOptions {
  std::string word;                ///< a command or a topic; empty: a list of both
  std::optional<std::string> out;  ///< file instead of stdout
};

/// Lets every command of `app` that is added from here on have help_text() as its help.
void set_help_text(CLI::App& app);

CLI::App* add_help_command(CLI::App& app, HelpOptions& options);

/// `app` is the top of the command line.
[[nodiscard]] int help_command(const CLI::App& app, const HelpOptions& options);

}  // namespace vgsim::cli
