#pragma once

#include <vector>

#include "models/scenario/build/placement.hpp"
#include "models/scenario/build/shared_gpus.hpp"
#include "models/training/compute.hpp"
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
  /// By rank: what makes it compute longer.
  Shared<std::vector<std::vector<training::ComputeLoss>>> losses;
  std::vector<SimTime> slowed_by_traffic;  ///< by rank: what its backward pass takes longer
  SharedGpus shared;                       ///< that ranks use in turns with others
};

/// Lowers the training job of a placement for the given ranks (see ranks_of()): what they compute,
/// how they are fed, how gradients are bundled. Reports GPUs whose model is unknown and precisions
/// that a GPU or the network lacks; the result is then of no use.
[[nodiscard]] PreparedTraining prepare_training(const Placement& placement, const Library& library,
                                                std::vector<RankClass> ranks, Form form,
                                                input::Diagnostics& diagnostics);

/// How each of these ranks gets its input. Adds routes to `placed`.
[[nodiscard]] std::vector<training::InputFeed> feeds_of(const Placement& placement,
                                                        const Library& library,
                                                        const std::vector<RankClass>& ranks,
                                                        collectives::PlacedNetwork& placed,
                                                        input::Diagnostics& diagnostics);

/// What a GPU of a view achieves on the job's network. Reports GPUs whose model is unknown, and
/// precisions that it lacks.
[[nodiscard]] training::ComputeRates rates_of(const Placement& placement, const Library& library,
                                              const vsphere::GuestView& view, std::size_t gpu,
                                              input::Diagnostics& diagnostics);

/// Lets the ranks reduce where there are several, and each compute as long as the slowest.
void wait_for_others(const Placement& placement, const Library& library,
                     PreparedTraining& prepared);

/// What a pass takes longer, as a share of the time that traffic is on its way beside it.
[[nodiscard]] double slowed_by_traffic(const Placement& placement, const Library& library);

}  // namespace vgsim::scenario
