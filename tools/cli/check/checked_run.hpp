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

/// A checked scenario with its figures.
struct CheckedRun {
  CheckedScenario scenario;  ///< with judged expectations
  std::vector<scenario::LayoutFigures> figures;
  std::vector<std::string> left_out;      ///< layouts with errors, without figures
  std::optional<scenario::Baseline> now;  ///< nothing if it could not be run
};

/// Runs a scenario and judges its expectations. Errors and limits that stop it are noted in the
/// scenario; only bugs throw. Errors of a layout do not affect the figures of others.
[[nodiscard]] CheckedRun run_checked(const ScenarioFile& file, const scenario::Library& library,
                                     const scenario::RunSettings& settings);

}  // namespace vgsim::cli
