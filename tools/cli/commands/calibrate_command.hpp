#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/cli/cli_fwd.hpp"

namespace vgsim::cli {

/// Options of `vgsim calibrate`.
struct CalibrateOptions {
  std::vector<std::string> paths;       ///< measurements, cases, logs, or folders of JSON files
  std::optional<std::string> scenario;  ///< of the machine that logs of nccl-tests are from
  std::optional<std::string> layout;    ///< of that scenario
  std::string name;                     ///< of the calibration
  std::string date;                     ///< empty: today
  double validation_share = 0.25;       ///< share of the points
  std::optional<std::string> out;       ///< default: in the configs folder
};

CLI::App* add_calibrate_command(CLI::App& app, CalibrateOptions& options);

/// Writes its result or messages and returns an ExitCode. Throws OutputError.
[[nodiscard]] int calibrate_command(const CalibrateOptions& options);

}  // namespace vgsim::cli
