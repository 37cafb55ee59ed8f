#pragma once

#include <optional>
#include <set>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/scenario/build/disruptions.hpp"
#include "models/scenario/build/layout_library.hpp"
#include "models/scenario/build/placement.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "models/scenario/build/training_preparation.hpp"
#include "models/scenario/read/scenario.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

/// A layout ready to run: machines built, job placed and lowered.
struct PreparedLayout {
  LayoutLibrary library;
  Placement placement;
  std::vector<Disruption> disruptions;  ///< events that stop VMs of the job
  /// Parameters used to build the cluster; nothing if they were not recorded.
  std::optional<std::set<std::string>> cluster_parameters;
  std::optional<PreparedTraining> training;  ///< for training jobs
  std::vector<PreparedLayout> other_jobs;    ///< the others of several jobs, on the same machines

  [[nodiscard]] bool is_refused() const { return placement.cluster->is_refused(); }
};

/// The common start of validation, runs, draws and all questions about a scenario.
struct PreparedScenario {
  std::string name;
  std::vector<PreparedLayout> layouts;

  [[nodiscard]] Scenario scenario() const;
};

/// Prepares every layout; errors of all layouts are reported together.
///
/// `like` is an earlier preparation of this scenario or of a variant, with files from the same
/// loader; layouts correspond by name, or if each scenario has one. Unchanged parts are reused:
/// machines if hosts, fabric, VMs and their parameters are equal, and NCCL's search if the job has
/// the same ranks as well. The result is bit-identical to one without `like`.
///
/// Throws LimitExceeded if the job would need more memory than the settings allow.
[[nodiscard]] tl::expected<PreparedScenario, input::Diagnostics> prepare(
    const Scenario& scenario, const Library& library, const input::FileLoader& load,
    const RunSettings& settings, const PreparedScenario* like = nullptr);

}  // namespace vgsim::scenario
