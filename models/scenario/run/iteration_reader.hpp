#pragma once

#include "models/collectives/placed_network.hpp"
#include "models/scenario/build/job_units.hpp"
#include "models/scenario/build/placement.hpp"
#include "models/scenario/run/iteration_record.hpp"
#include "models/training/step_times.hpp"
#include "sim/recorder.hpp"

namespace vgsim::scenario {

/// A training job that was run.
struct RanStep {
  const Placement& placement;
  const collectives::PlacedNetwork& network;
  const JobUnits& units;  ///< by subject of the tasks
  const training::TrainingGraph& training;
  const Timeline& timeline;
  const training::StepTimes& times;
};

/// What happens in its last iteration: a lane for each unit, of very many the first ones, or, where
/// a barrier ends iterations, for each stage of the replica that ends last; one for the input of
/// each that has some; one for the gradients, or for each axis that a stage exchanges something on.
/// Input that was fetched for this iteration before it began stands where that of a later one
/// would: iterations repeat.
[[nodiscard]] IterationRecord read_iteration(const RanStep& ran);

}  // namespace vgsim::scenario
