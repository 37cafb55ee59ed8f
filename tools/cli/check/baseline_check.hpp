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

/// Holds scenarios that were run against their baselines, and notes in each what has drifted;
/// appends those baselines that have lost their scenario. `files` are those of the runs, in order.
/// `fallback` goes before the folder's tolerance for all figures without their own.
///
/// With `update` the baselines are written instead: all, or none where a scenario has errors or a
/// file is in the way that is no baseline. Reports two scenarios with one baseline, and wrong
/// tolerances. Throws OutputError.
void check_baselines(const BaselineFolder& folder, const std::vector<ScenarioFile>& files,
                     std::optional<double> fallback, bool update, std::vector<CheckedRun>& runs,
                     input::Diagnostics& diagnostics);

}  // namespace vgsim::cli
