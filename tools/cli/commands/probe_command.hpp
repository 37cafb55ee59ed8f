#pragma once

#include <optional>
#include <string>

#include "sim/units.hpp"
#include "tools/cli/cli_fwd.hpp"

namespace vgsim::cli {

/// Options of `vgsim probe`.
struct ProbeOptions {
  std::string name;  ///< of the measurement; empty: after the first GPU
  bool quick = false;
  std::optional<SimTime> time_limit;  ///< of real time, for everything
  std::optional<std::string> out;     ///< file instead of stdout
};

CLI::App* add_probe_command(CLI::App& app, ProbeOptions& options);

/// Writes its result or messages and returns an ExitCode. Throws OutputError.
[[nodiscard]] int probe_command(const ProbeOptions& options);

}  // namespace vgsim::cli
