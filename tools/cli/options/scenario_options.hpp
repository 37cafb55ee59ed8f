#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/cli/cli_fwd.hpp"
#include "tools/cli/output.hpp"

namespace vgsim::cli {

/// A scenario, its changes, and the output format.
struct ScenarioOptions {
  std::string scenario;              ///< file, name of a shipped one, or a saved result
  std::vector<std::string> set;      ///< "POINTER=VALUE"
  std::vector<std::string> layouts;  ///< only these; empty: all
  bool full = false;                 ///< more than one screen
  Format format = Format::kText;
  std::optional<std::string> out;  ///< file instead of stdout
};

/// Adds them all; `out` is the description of -o.
void add_scenario_options(CLI::App& command, ScenarioOptions& options, const char* out);

/// Description of -o for commands that can write tables.
constexpr const char* kOutOrTable =
    "write to this file instead of stdout; .csv and .xlsx: as a table";

}  // namespace vgsim::cli
