#pragma once

#include <optional>
#include <string>

namespace vgsim::cli {

/// Options of `vgsim check --measured`.
struct MeasuredCheck {
  std::string file;                        ///< anything that `vgsim calibrate` reads
  std::optional<std::string> scenario;     ///< of a log of nccl-tests
  std::optional<std::string> layout;       ///< of that scenario
  std::optional<std::string> calibration;  ///< a file, or a name in the configs folder
  double tolerance = 0.15;                 ///< of the median error
  std::optional<std::string> out;          ///< file instead of stdout
};

/// Writes its result or messages and returns an ExitCode.
[[nodiscard]] int check_measured(const MeasuredCheck& check);

}  // namespace vgsim::cli
