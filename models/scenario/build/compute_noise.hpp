#pragma once

#include "models/scenario/build/placement.hpp"
#include "models/scenario/build/training_preparation.hpp"
#include "models/training/step_times.hpp"

namespace vgsim::scenario {

struct Library;

/// How many times longer the slowest of a job's ranks is expected to compute in a step than their
/// mean; 1 where the scenario itself says how much they vary. Micro-batches of a step vary each on
/// its own, so that the step varies less than they do.
[[nodiscard]] double slowest_factor(const Placement& placement, const Library& library);

/// Ranks do not take the same time in every step, and all wait for the slowest: lets each compute
/// slowest_factor() times as long.
void wait_for_slowest(const Placement& placement, const Library& library,
                      PreparedTraining& prepared);

/// What a pass takes longer, as a share of the time that traffic is on its way beside it: inside
/// one host the multiprocessors that NCCL's channels take, of those that there are; between hosts a
/// share that was measured. 0 where computing is ideal.
[[nodiscard]] double overlap_slowdown(const Placement& placement, const Library& library);

/// Lengthens the backward pass of all ranks by the overlap_slowdown() of the time that gradients
/// are `hidden` behind it.
void slow_by_traffic(const Placement& placement, const Library& library, SimTime hidden,
                     PreparedTraining& prepared);

}  // namespace vgsim::scenario
