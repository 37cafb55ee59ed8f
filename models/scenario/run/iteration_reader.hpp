#pragma once

#include "models/collectives/placed_network.hpp"
#include "models/scenario/build/job_units.hpp"
#include "models/scenario/build/placement.hpp"
#include "models/scenario/run/iteration_record.hpp"
#include "models/training/step_times.hpp"
#include "sim/recorder.hpp"

namespace vgsim::scenario {

/// A simulated training job.
struct RanStep {
  const Placement& placement;
  const collectives::PlacedNetwork& network;
  const JobUnits& units;  ///< by subject of the tasks
  const training::TrainingGraph& training;
  const Timeline& timeline;
  const training::StepTimes& times;
};

/// Reads its last iteration. Lanes: one per unit (the first ones of very many), or, if a barrier
/// ends iterations, one per stage of the replica that ends last; one for the input of each unit
/// with input; one for the gradients, or for each axis of a stage with communication. Input fetched
/// before the iteration is shown at the time of a later iteration's input, since iterations repeat.
[[nodiscard]] IterationRecord read_iteration(const RanStep& ran);

}  // namespace vgsim::scenario
