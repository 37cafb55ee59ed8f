#pragma once

#include <functional>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "models/scenario/answer/manifest.hpp"
#include "tools/cli/options/scenario_options.hpp"
#include "tools/cli/scenario_input.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {
struct Library;
struct ScenarioResult;
}  // namespace vgsim::scenario

namespace vgsim::cli {

/// How a command answers about a scenario.
struct ScenarioAnswer {
  const char* command;  ///< its name
  /// Returns an ExitCode: kDone if the options suit the scenario; otherwise it has written
  /// messages.
  std::function<int(const ScenarioInput&, const scenario::Library&)> check;
  /// Fills in the manifest if the result should have one.
  std::function<tl::expected<scenario::ScenarioResult, input::Diagnostics>(
      const ScenarioInput&, const scenario::Library&, std::optional<scenario::Manifest>&)>
      evaluate;
  std::function<std::string(const scenario::ScenarioResult&, const ScenarioInput&,
                            const scenario::Library&)>
      text;
};

/// Where a table is from: program, date, scenario, names of its files without their folders.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> provenance(
    const std::string& name, const std::vector<std::string>& files);

/// Reads scenario and library, evaluates, and writes the result as text, JSON or a table.
/// Errors of a layout do not affect the others. Returns an ExitCode.
[[nodiscard]] int answer_scenario(const ScenarioOptions& options, const ScenarioAnswer& answer);

}  // namespace vgsim::cli
