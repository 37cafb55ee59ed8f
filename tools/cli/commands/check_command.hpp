#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/cli/check/measured.hpp"
#include "tools/cli/cli_fwd.hpp"

namespace vgsim::cli {

/// Output format of `vgsim check` on stdout, or in the file of -o.
enum class CheckFormat { kText, kJson, kJunit, kGithub, kMarkdown };

/// Options of `vgsim check`, for scenarios or a measurement.
struct CheckOptions {
  std::vector<std::string> paths;        ///< scenario files, or folders of them
  std::optional<std::string> baseline;   ///< folder
  std::optional<std::string> tolerance;  ///< as written: "1 %"; with --measured also "0.01"
  bool update = false;                   ///< write the baselines
  std::vector<std::string> set;          ///< "POINTER=VALUE", for all scenarios
  bool quiet = false;                    ///< no progress
  CheckFormat format = CheckFormat::kText;
  std::optional<std::string> out;
  std::optional<std::string> junit;     ///< file for JUnit XML as well
  std::optional<std::string> markdown;  ///< file for Markdown as well
  MeasuredCheck measured;               ///< used if it names a file
};

CLI::App* add_check_command(CLI::App& app, CheckOptions& options);

/// Writes its result or messages and returns an ExitCode. Throws OutputError.
[[nodiscard]] int check_command(const CheckOptions& options);

}  // namespace vgsim::cli
