#pragma once

#include "models/scenario/build/run_settings.hpp"
#include "models/scenario/run/result.hpp"
#include "models/scenario/run/step_runner.hpp"

namespace vgsim::scenario {

/// Fills in how long things take: the steady iteration and its parts, epochs, rates, losses,
/// floors.
void fill_times(const Placement& placement, const StepRunner& runner, const StepAnswer& answer,
                std::uint64_t epoch, TrainingResult& result);

/// What links carried and ranks sent, and how often each algorithm of NCCL is taken.
void fill_traffic(const Placement& placement, const Library& library, StepRunner& runner,
                  const StepAnswer& answer, LayoutResult& result);

/// All iterations of an epoch, in seconds; the steady one stands for those that were not run.
[[nodiscard]] double epoch_seconds(const StepRunner& runner, const StepAnswer& answer,
                                   std::uint64_t epoch);

/// Of jobs that shard more than their data: what the passes and optimizers of all stages would take
/// on as many GPUs that never wait, over what they take. `alone`: by stage, passes without traffic
/// beside them.
[[nodiscard]] std::optional<double> sharded_efficiency(const training::StepPlan& plan,
                                                       const std::vector<SimTime>& alone,
                                                       SimTime iteration);

/// What a run states of its results alone, however it was found.
[[nodiscard]] std::string times_fingerprint(const TrainingResult& result);

}  // namespace vgsim::scenario
