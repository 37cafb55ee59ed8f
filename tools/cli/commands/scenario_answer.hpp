#pragma once

#include <functional>
#include <optional>
#include <string>
#include <tl/expected.hpp>

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
  /// An ExitCode: kDone where the options suit the scenario; else the messages are written.
  std::function<int(const ScenarioInput&, const scenario::Library&)> check;
  /// Fills in the manifest where the result should have one.
  std::function<tl::expected<scenario::ScenarioResult, input::Diagnostics>(
      const ScenarioInput&, const scenario::Library&, std::optional<scenario::Manifest>&)>
      evaluate;
  std::function<std::string(const scenario::ScenarioResult&, const ScenarioInput&,
                            const scenario::Library&)>
      text;
};

/// Reads scenario and library, evaluates and writes what came out, as text, JSON or a table. A
/// layout in which something is wrong leaves the others their answer. Returns an ExitCode.
[[nodiscard]] int answer_scenario(const ScenarioOptions& options, const ScenarioAnswer& answer);

}  // namespace vgsim::cli
