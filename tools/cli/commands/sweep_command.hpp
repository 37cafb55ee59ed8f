#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tools/cli/cli_fwd.hpp"
#include "tools/cli/output.hpp"

namespace vgsim::cli {

/// Options of `vgsim sweep`.
struct SweepOptions {
  std::string spec;                ///< file
  std::optional<std::string> out;  ///< folder of the store
  std::size_t jobs = 0;            ///< threads; 0: one for each CPU
  std::vector<std::string> sets;   ///< "POINTER=VALUE" of the scenario
  std::vector<std::string> exports;
  std::optional<std::string> shard;
  bool resume = false;
  bool merge = false;
  bool plan = false;
  bool partial = false;  ///< export an incomplete store
  bool yes = false;      ///< without limits on points and time
  bool quiet = false;
  bool full = false;  ///< more than one screen
  Format format = Format::kText;
};

/// Keeps a reference to the options.
CLI::App* add_sweep_command(CLI::App& app, SweepOptions& options);

/// Returns an ExitCode, or 128 and the number of the signal that ended it.
[[nodiscard]] int sweep_command(const SweepOptions& options);

}  // namespace vgsim::cli
