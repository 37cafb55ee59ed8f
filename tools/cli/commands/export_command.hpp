#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/cli/cli_fwd.hpp"

namespace vgsim::cli {

/// Options of `vgsim export`.
struct ExportOptions {
  std::vector<std::string> files;          ///< of a host, or a scenario
  std::optional<std::string> kind;         ///< of all files; else by their content
  std::string as;                          ///< "nccl", "dot", "graphml", "json"
  std::optional<std::string> vm;           ///< of a scenario: the topology in its guest
  std::optional<std::string> layout;       ///< of that scenario
  std::vector<std::string> guest_bus_ids;  ///< of its GPUs, then of its NICs, in the guest
  std::optional<std::string> out;          ///< file instead of stdout
};

CLI::App* add_export_command(CLI::App& app, ExportOptions& options);

/// Writes its result or messages and returns an ExitCode. Throws OutputError.
[[nodiscard]] int export_command(const ExportOptions& options);

}  // namespace vgsim::cli
