#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/scenario/build/run_settings.hpp"
#include "sim/units.hpp"
#include "tools/cli/cli_fwd.hpp"
#include "tools/cli/options/scenario_options.hpp"

namespace vgsim::cli {

/// Options of `vgsim run`.
struct RunOptions : ScenarioOptions {
  bool quiet = false;                 ///< no progress
  std::optional<std::string> trace;   ///< file for the trace of an iteration
  scenario::RunSettings settings;     ///< except those below
  std::optional<SimTime> time_limit;  ///< wall-clock time
  std::optional<std::uint64_t>
      draws;  ///< of the uncertain parameters; default: if they take seconds
};

CLI::App* add_run_command(CLI::App& app, RunOptions& options);

/// Writes its result or messages and returns an ExitCode. Throws OutputError.
[[nodiscard]] int run_command(const RunOptions& options);

}  // namespace vgsim::cli
