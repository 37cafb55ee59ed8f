#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/cli/cli_fwd.hpp"
#include "tools/cli/output.hpp"

namespace vgsim::cli {

/// Options of `vgsim nccl`, unparsed.
struct NcclOptions {
  std::string topology;     ///< file
  std::string hosts = "1";  ///< number of such hosts
  std::string version = "newest";
  std::vector<std::string> environment;  ///< "NCCL_P2P_LEVEL=SYS"
  std::string sizes;                     ///< empty: the usual ones
  Format format = Format::kText;
  std::optional<std::string> out;  ///< file instead of stdout
};

CLI::App* add_nccl_command(CLI::App& app, NcclOptions& options);

/// Writes its result or messages and returns an ExitCode. Throws OutputError.
[[nodiscard]] int nccl_command(const NcclOptions& options);

}  // namespace vgsim::cli
