#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/cli/check/baseline_folder.hpp"
#include "tools/cli/check/check_report.hpp"
#include "tools/cli/check/checked_run.hpp"
#include "tools/cli/check/scenario_files.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::cli {

/// Compares scenarios that were run with their baselines, and notes drift in each; appends
/// baselines without a scenario. `files` are those of the runs, in order. `fallback` takes
/// precedence over the folder's default tolerance.
///
/// With `update` the baselines are written instead: all, or none if a scenario has errors or a
/// file of that name is not a baseline. Reports two scenarios with one baseline, and wrong
/// tolerances. Throws OutputError.
void check_baselines(const BaselineFolder& folder, const std::vector<ScenarioFile>& files,
                     std::optional<double> fallback, bool update, std::vector<CheckedRun>& runs,
                     input::Diagnostics& diagnostics);

}  // namespace vgsim::cli
