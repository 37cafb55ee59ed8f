#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/cli/cli_fwd.hpp"
#include "tools/cli/output.hpp"

namespace vgsim::cli {

/// Options of `vgsim advise`.
struct AdviseOptions {
  std::string request;  ///< file of a vgsim.advice/1
  std::vector<std::string> set;
  bool quiet = false;
  bool full = false;  ///< more than one screen
  Format format = Format::kText;
  std::optional<std::string> out;
};

CLI::App* add_advise_command(CLI::App& app, AdviseOptions& options);

/// Exit code 1 if nothing meets the requirements.
[[nodiscard]] int advise_command(const AdviseOptions& options);

}  // namespace vgsim::cli
