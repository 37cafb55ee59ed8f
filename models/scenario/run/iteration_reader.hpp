#pragma once

#include <vector>

#include "models/collectives/placed_network.hpp"
#include "models/scenario/build/placement.hpp"
#include "models/scenario/run/iteration_record.hpp"
#include "models/training/pipeline_graph.hpp"
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

/// The same of a pipeline: a lane for each stage. `slowed` is what traffic beside its kernels adds
/// at the end.
[[nodiscard]] IterationRecord read_iteration(const training::PipelineGraph& graph,
                                             const Timeline& timeline, std::size_t last_stage,
                                             std::size_t ranks_of_stage, SimTime slowed);

}  // namespace vgsim::scenario
