#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/cli/cli_fwd.hpp"
#include "tools/cli/output.hpp"

namespace vgsim::cli {

/// Options of `vgsim score`.
struct ScoreOptions {
  std::vector<std::string> paths;          ///< case files, folders of them, or tables of kernels
  std::optional<std::string> baseline;     ///< earlier score
  std::optional<std::string> output;       ///< file for this score
  std::optional<std::string> thresholds;   ///< file
  std::optional<std::string> predictions;  ///< file for the predicted times
  std::optional<std::string> calibration;  ///< a file, or a name in the configs folder
  std::optional<std::string> only_class;
  std::optional<std::string> only_case;
  bool keep_going = false;  ///< score the other cases if some cannot be run
  bool uncalibrated = false;
  std::uint64_t draws = 0;                ///< of training, for intervals
  std::optional<std::string> folds;       ///< constants of a cross-validation
  std::optional<std::string> log;         ///< of nccl-tests, instead of cases
  std::optional<std::string> scenario;    ///< of the log
  std::optional<std::string> layout;      ///< of that scenario
  std::optional<std::string> write_case;  ///< file for the case made from the log
  bool in_place = false;                  ///< use the log's in-place times
  Format format = Format::kText;
  std::optional<std::string> out;  ///< file instead of stdout
};

CLI::App* add_score_command(CLI::App& app, ScoreOptions& options);

/// Writes its result or messages and returns an ExitCode. Throws OutputError.
[[nodiscard]] int score_command(const ScoreOptions& options);

}  // namespace vgsim::cli
