#pragma once

#include <cstdint>
#include <optional>

#include "models/scenario/build/shared_gpus.hpp"
#include "models/scenario/run/result.hpp"
#include "models/training/step_graph.hpp"
#include "sim/engine.hpp"
#include "sim/recorder.hpp"

namespace vgsim::scenario {

/// The tasks of a step that are work for shared GPUs, on the seats of their ranks.
[[nodiscard]] TurnPlan turns_of(const training::TrainingGraph& training, const SharedGpus& shared);

/// So many iterations that turns of any phase are met, and bursts of other work, and no more than
/// are affordable, but one. `quantiles`: and as many as quantiles of steps take.
[[nodiscard]] std::uint64_t iterations_in_turns(const training::StepPlan& plan,
                                                const SharedGpus& shared, std::uint64_t affordable,
                                                bool quantiles);

/// Of all units on shared GPUs and all steps but the first: how long they took, and how evenly the
/// units came to their work. Nothing where no such step was run. Units that exchange something wait
/// for each other in each step, which is then one and the same of all.
[[nodiscard]] std::optional<TurnsResult> steps_in_turns(const training::StepPlan& plan,
                                                        const training::TrainingGraph& training,
                                                        const SharedGpus& shared,
                                                        const Timeline& timeline);

}  // namespace vgsim::scenario
