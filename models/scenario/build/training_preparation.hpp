#pragma once

#include <vector>

#include "models/collectives/placed_network.hpp"
#include "models/scenario/build/job_units.hpp"
#include "models/scenario/build/placement.hpp"
#include "models/scenario/build/shared_gpus.hpp"
#include "models/scenario/build/unit_work.hpp"
#include "models/training/step_plan.hpp"
#include "models/training/virtualization.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {

struct Library;

/// A training job lowered to what the engine runs.
struct PreparedTraining {
  Shared<JobUnits> units;
  collectives::PlacedNetwork placed;
  training::StepPlan plan;
  /// By work of the plan: what makes a rank compute longer, in an iteration.
  std::vector<std::vector<training::ComputeLoss>> losses;
  std::vector<SimTime> slowed_by_traffic;  ///< by unit: what its passes take longer
  SharedGpus shared;                       ///< that ranks use in turns with others

  [[nodiscard]] const std::vector<training::ComputeLoss>& losses_of(std::size_t unit) const {
    return losses[plan.units[unit].work];
  }
};

/// Lowers the training job of a placement for the given units: what they compute and exchange, how
/// they are fed, whose GPUs others use in turns. Reports GPUs whose model is unknown, precisions
/// that a GPU or the network lacks, and clients of remote GPUs that do not exist; the result is
/// then of no use.
[[nodiscard]] PreparedTraining prepare_training(const Placement& placement, const Library& library,
                                                Shared<JobUnits> units,
                                                input::Diagnostics& diagnostics);

/// What a pass takes longer, as a share of the time that traffic is on its way beside it.
[[nodiscard]] double slowed_by_traffic(const Placement& placement, const Library& library);

}  // namespace vgsim::scenario
