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

/// A training job lowered to tasks of the engine.
struct PreparedTraining {
  Shared<JobUnits> units;
  collectives::PlacedNetwork placed;
  training::StepPlan plan;
  /// Compute losses of a rank in an iteration, by work of the plan.
  std::vector<std::vector<training::ComputeLoss>> losses;
  std::vector<SimTime> slowed_by_traffic;  ///< by unit: additional time of its passes
  SharedGpus shared;                       ///< GPUs shared by time slices

  [[nodiscard]] const std::vector<training::ComputeLoss>& losses_of(std::size_t unit) const {
    return losses[plan.units[unit].work];
  }
};

/// Lowers the training job of a placement for the given units: computing, communication, input and
/// shared GPUs. Reports unknown GPU models, precisions missing on a GPU or network, and unknown
/// clients of remote GPUs; the result is then invalid.
[[nodiscard]] PreparedTraining prepare_training(const Placement& placement, const Library& library,
                                                Shared<JobUnits> units,
                                                input::Diagnostics& diagnostics);

/// Additional time of a pass, as a share of the time with concurrent traffic.
[[nodiscard]] double slowed_by_traffic(const Placement& placement, const Library& library);

}  // namespace vgsim::scenario
