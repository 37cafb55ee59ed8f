#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/cli/cli_fwd.hpp"
#include "tools/cli/output.hpp"

namespace vgsim::cli {

/// Options of `vgsim compare`.
struct CompareOptions {
  std::vector<std::string> subjects;  ///< FILE or FILE#LAYOUT; scenarios or saved results
  std::vector<std::string> set;       ///< "POINTER=VALUE", for all scenarios
  std::vector<std::string> layouts;   ///< of files that are named without one; empty: all
  std::optional<std::uint64_t> draws;
  bool full = false;  ///< more than one screen
  Format format = Format::kText;
  std::optional<std::string> out;
};

CLI::App* add_compare_command(CLI::App& app, CompareOptions& options);

[[nodiscard]] int compare_command(const CompareOptions& options);

}  // namespace vgsim::cli
