#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/cli/cli_fwd.hpp"

namespace vgsim::cli {

/// What `vgsim calibrate` fits, and to what.
struct CalibrateOptions {
  std::vector<std::string> paths;       ///< measurements, cases, logs, or folders of JSON files
  std::optional<std::string> scenario;  ///< that logs of nccl-tests were measured on
  std::optional<std::string> layout;    ///< of that scenario
  std::string name;                     ///< of the calibration
  std::string date;                     ///< empty: today
  double held_back = 0.25;              ///< share of the points
  std::optional<std::string> out;       ///< default: in the configs folder
};

CLI::App* add_calibrate_command(CLI::App& app, CalibrateOptions& options);

/// Returns an ExitCode and has written its result or its messages. Throws OutputError.
[[nodiscard]] int calibrate_command(const CalibrateOptions& options);

}  // namespace vgsim::cli
