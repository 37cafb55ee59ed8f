#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/cli/cli_fwd.hpp"

namespace vgsim::cli {

/// Options of `vgsim import`.
struct ImportOptions {
  std::vector<std::string> files;       ///< or folders of them
  std::optional<std::string> kind;      ///< of all files; else by their content
  std::string name;                     ///< of the result; empty: from the files
  std::optional<std::string> scenario;  ///< file for the scenario that names the topology file
  std::optional<std::int64_t> batch;    ///< samples of a pass
  std::optional<std::string> gpu;       ///< of the catalogue, that ran a trace
  bool force = false;                   ///< overwrite a scenario that was edited
  std::optional<std::string> out;       ///< file instead of stdout
};

CLI::App* add_import_command(CLI::App& app, ImportOptions& options);

/// Writes its result or messages and returns an ExitCode. Throws OutputError.
[[nodiscard]] int import_command(const ImportOptions& options);

}  // namespace vgsim::cli
