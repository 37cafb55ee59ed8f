#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/cli/cli_fwd.hpp"
#include "tools/cli/output.hpp"

namespace vgsim::cli {

/// What `vgsim nccl` is about, as written; the command reads it.
struct NcclOptions {
  std::string topology;     ///< file
  std::string hosts = "1";  ///< how many such hosts
  std::string version = "newest";
  std::vector<std::string> environment;  ///< "NCCL_P2P_LEVEL=SYS"
  std::string sizes;                     ///< empty: the usual ones
  Format format = Format::kText;
  std::optional<std::string> out;  ///< file instead of stdout
};

CLI::App* add_nccl_command(CLI::App& app, NcclOptions& options);

/// Returns an ExitCode and has written its result or its messages. Throws OutputError.
[[nodiscard]] int nccl_command(const NcclOptions& options);

}  // namespace vgsim::cli
