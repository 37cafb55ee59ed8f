#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tools/cli/cli_fwd.hpp"
#include "tools/cli/output.hpp"

namespace vgsim::cli {

/// Options of `vgsim explain`.
struct ExplainOptions {
  std::string subject;  ///< a rule, an error code, a scenario or a result; empty: a list
  std::vector<std::string> layouts;  ///< of the scenario; none: all
  std::vector<std::string> set;
  std::optional<std::size_t> most;  ///< changes that are shown
  bool full = false;                ///< more than one screen
  Format format = Format::kText;
  std::optional<std::string> out;
};

CLI::App* add_explain_command(CLI::App& app, ExplainOptions& options);

[[nodiscard]] int explain_command(const ExplainOptions& options);

}  // namespace vgsim::cli
