#pragma once

#include <optional>
#include <string>

#include "tools/cli/cli_fwd.hpp"

namespace vgsim::cli {

/// Options of `vgsim man`.
struct ManOptions {
  std::string format = "roff";     ///< or "md"
  std::optional<std::string> out;  ///< file instead of stdout
};

CLI::App* add_man_command(CLI::App& app, ManOptions& options);

/// Writes the manual page of the whole command line, whose root is `app`; in Markdown the part
/// of tools/README.md on its commands.
[[nodiscard]] int man_command(const CLI::App& app, const ManOptions& options);

}  // namespace vgsim::cli
