#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tools/cli/cli_fwd.hpp"

namespace vgsim::cli {

/// Options of `vgsim studio`.
struct StudioOptions {
  std::string scenario;             ///< or a saved result; empty: a shipped one
  std::optional<std::string> save;  ///< file for the changed scenario
  std::uint16_t port = 0;           ///< 0: a free one
  bool no_browser = false;
  bool exports = false;            ///< writes a page instead of serving one
  std::optional<std::string> out;  ///< its file; by default standard output
};

CLI::App* add_studio_command(CLI::App& app, StudioOptions& options);

[[nodiscard]] int studio_command(const StudioOptions& options);

}  // namespace vgsim::cli
