#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/scenario/build/run_settings.hpp"
#include "sim/units.hpp"
#include "tools/cli/cli_fwd.hpp"
#include "tools/cli/options/scenario_options.hpp"

namespace vgsim::cli {

/// What `vgsim run` is asked for.
struct RunOptions : ScenarioOptions {
  bool quiet = false;                  ///< no progress
  std::optional<std::string> trace;    ///< file for what happens in an iteration
  scenario::RunSettings settings;      ///< but for what is below
  std::optional<SimTime> time_limit;   ///< of real time
  std::optional<std::uint64_t> draws;  ///< of the uncertain parameters; else as time allows
};

CLI::App* add_run_command(CLI::App& app, RunOptions& options);

/// Returns an ExitCode and has written its result or its messages. Throws OutputError.
[[nodiscard]] int run_command(const RunOptions& options);

}  // namespace vgsim::cli
