#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/questions/check/layout_figures.hpp"
#include "models/questions/read/baseline.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "tools/cli/check/check_report.hpp"
#include "tools/cli/check/scenario_files.hpp"

namespace vgsim::scenario {
struct Library;
}

namespace vgsim::cli {

/// A scenario that was run to be checked.
struct CheckedRun {
  CheckedScenario scenario;  ///< its expectations have been judged
  std::vector<scenario::LayoutFigures> figures;
  std::vector<std::string> left_out;      ///< layouts with errors, of which there are no figures
  std::optional<scenario::Baseline> now;  ///< nothing where it could not be run
};

/// Runs a scenario and judges its expectations. What is wrong with it, and limits that stop it,
/// are noted in the scenario; only bugs throw. A layout with errors leaves the others their
/// figures.
[[nodiscard]] CheckedRun run_checked(const ScenarioFile& file, const scenario::Library& library,
                                     const scenario::RunSettings& settings);

}  // namespace vgsim::cli
