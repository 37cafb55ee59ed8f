#pragma once

#include <optional>
#include <string>

namespace vgsim::cli {

/// What `vgsim check --measured` holds a model against.
struct MeasuredCheck {
  std::string file;                        ///< whatever `vgsim calibrate` reads
  std::optional<std::string> scenario;     ///< of a log of nccl-tests
  std::optional<std::string> layout;       ///< of that scenario
  std::optional<std::string> calibration;  ///< a file of one, or its name in the configs folder
  double tolerance = 0.15;                 ///< of the median error
  std::optional<std::string> out;          ///< file instead of stdout
};

/// Returns an ExitCode and has written its result or its messages.
[[nodiscard]] int check_measured(const MeasuredCheck& check);

}  // namespace vgsim::cli
