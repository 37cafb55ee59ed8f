#pragma once

#include <cstdint>
#include <optional>

#include "models/scenario/build/shared_gpus.hpp"
#include "models/scenario/run/result.hpp"
#include "models/training/step_graph.hpp"
#include "sim/engine.hpp"
#include "sim/recorder.hpp"

namespace vgsim::scenario {

/// Assigns the tasks of a step for shared GPUs to the seats of their ranks.
[[nodiscard]] SlicingPlan time_slice_plan(const training::TrainingGraph& training,
                                          const SharedGpus& shared);

/// Number of iterations that covers all phases of time slices and of other loads' bursts, at most
/// `affordable` but at least one. `quantiles`: also enough for quantiles of steps.
[[nodiscard]] std::uint64_t time_sliced_iterations(const training::StepPlan& plan,
                                                   const SharedGpus& shared,
                                                   std::uint64_t affordable, bool quantiles);

/// Step times of all units on shared GPUs, without the first step, and the fairness between units.
/// Nothing if no such step was simulated. Units that communicate wait for each other in each step,
/// which then counts once.
[[nodiscard]] std::optional<TimeSlicedSteps> time_sliced_steps(
    const training::StepPlan& plan, const training::TrainingGraph& training,
    const SharedGpus& shared, const Timeline& timeline);

}  // namespace vgsim::scenario
