#pragma once

#include <vector>

#include "models/collectives/placed_network.hpp"
#include "models/scenario/build/placement.hpp"
#include "models/scenario/build/split_preparation.hpp"
#include "models/scenario/run/iteration_record.hpp"
#include "models/training/split_times.hpp"
#include "models/training/step_times.hpp"
#include "sim/recorder.hpp"

namespace vgsim::scenario {

/// A data-parallel training job that was run.
struct RanStep {
  const Placement& placement;
  const collectives::PlacedNetwork& network;
  const std::vector<RankClass>& ranks;  ///< by subject of the tasks
  const training::StepPlan& plan;
  const training::TrainingGraph& training;
  const Timeline& timeline;
  const training::StepTimes& times;
};

/// What happens in its last iteration: a lane for each rank (of very many the first ones), one for
/// the input of each that has some, one for the gradients. Input that was fetched for this
/// iteration before it began stands where that of a later one would: iterations repeat.
[[nodiscard]] IterationRecord read_iteration(const RanStep& ran);

/// A job that splits more than its data, and was run.
struct RanSplit {
  const Placement& placement;
  const collectives::PlacedNetwork& network;
  const SplitRanks& ranks;
  const training::SplitGraph& split;
  const Timeline& timeline;
  const training::SplitTimes& times;
};

/// The same of such a job: of the replica that ends last a lane for each stage, one for the input,
/// and for each stage and axis one for its exchanges.
[[nodiscard]] IterationRecord read_iteration(const RanSplit& ran);

}  // namespace vgsim::scenario
