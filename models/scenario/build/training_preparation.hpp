#pragma once

#include <vector>

#include "models/scenario/build/placement.hpp"
#include "models/training/step_graph.hpp"
#include "models/training/virtualization.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {

struct Library;

/// A training job lowered to what the engine runs.
struct PreparedTraining {
  collectives::PlacedNetwork placed;
  std::vector<RankClass> ranks;
  training::StepPlan step;
  std::vector<std::vector<training::ComputeLoss>>
      losses;                              ///< by rank: what makes it compute longer
  std::vector<SimTime> slowed_by_traffic;  ///< by rank: what its backward pass takes longer
};

/// Lowers the training job of a placement for the given ranks (see ranks_of()): what they compute,
/// how they are fed, how gradients are bundled. Reports GPUs whose model is unknown and precisions
/// that a GPU or the network lacks; the result is then of no use.
[[nodiscard]] PreparedTraining prepare_training(const Placement& placement, const Library& library,
                                                std::vector<RankClass> ranks, Form form,
                                                input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
