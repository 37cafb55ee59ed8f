#pragma once

#include <optional>
#include <string>

#include "tools/cli/cli_fwd.hpp"

namespace vgsim::cli {

/// What `vgsim man` writes.
struct ManOptions {
  std::string format = "roff";     ///< or "md"
  std::optional<std::string> out;  ///< file instead of stdout
};

CLI::App* add_man_command(CLI::App& app, ManOptions& options);

/// Writes the manual page of the whole command line, of which `app` is the top; in Markdown what
/// tools/README.md says of its commands.
[[nodiscard]] int man_command(const CLI::App& app, const ManOptions& options);

}  // namespace vgsim::cli
