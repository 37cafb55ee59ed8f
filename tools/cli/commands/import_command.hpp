#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/cli/cli_fwd.hpp"

namespace vgsim::cli {

/// What `vgsim import` is asked for.
struct ImportOptions {
  std::vector<std::string> files;       ///< or folders of them
  std::optional<std::string> kind;      ///< of all files; else by their content
  std::string name;                     ///< of what is made of them; empty: as they say
  std::optional<std::string> scenario;  ///< file for the scenario that names the topology file
  std::optional<std::int64_t> batch;    ///< samples of a pass
  std::optional<std::string> gpu;       ///< of the catalogue, that ran a trace
  bool force = false;                   ///< write over a scenario that somebody has changed
  std::optional<std::string> out;       ///< file instead of stdout
};

CLI::App* add_import_command(CLI::App& app, ImportOptions& options);

/// Returns an ExitCode and has written its result or its messages. Throws OutputError.
[[nodiscard]] int import_command(const ImportOptions& options);

}  // namespace vgsim::cli
