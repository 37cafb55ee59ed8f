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

/// A layout with all that comes before its run: its machines built, its job placed and lowered.
struct PreparedLayout {
  LayoutLibrary library;
  Placement placement;
  std::vector<Disruption> disruptions;  ///< what stops VMs of the job
  /// Parameters that the cluster was built by; nothing where they were not noted.
  std::optional<std::set<std::string>> cluster_parameters;
  std::optional<PreparedTraining> training;  ///< of training jobs

  [[nodiscard]] bool is_refused() const { return placement.cluster->is_refused(); }
};

/// What validation, runs, draws and all questions about a scenario start from.
struct PreparedScenario {
  std::string name;
  std::vector<PreparedLayout> layouts;

  [[nodiscard]] Scenario scenario() const;
};

/// Prepares every layout; errors of all of them come together.
///
/// `like` is the same scenario with other parameters, or one that differs from it in some values,
/// with files from the same loader; layouts are alike by their names, or where each has one. What
/// the values do not touch is taken from it: machines where hosts,
/// fabric, VMs and the parameters that they are built by are the same, and NCCL's search where the
/// job is on the same ranks as well. The result is the same as without it, to the last bit.
///
/// Throws LimitExceeded where running the job would take more memory than the settings allow.
[[nodiscard]] tl::expected<PreparedScenario, input::Diagnostics> prepare(
    const Scenario& scenario, const Library& library, const input::FileLoader& load,
    const RunSettings& settings, const PreparedScenario* like = nullptr);

}  // namespace vgsim::scenario
