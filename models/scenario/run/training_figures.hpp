#pragma once

#include "models/scenario/build/run_settings.hpp"
#include "models/scenario/run/result.hpp"
#include "models/scenario/run/step_runner.hpp"

namespace vgsim::scenario {

/// Fills in times: the steady iteration and its parts, epochs, rates, losses, lower bounds.
void fill_times(const Placement& placement, const StepRunner& runner, const StepAnswer& answer,
                std::uint64_t epoch, TrainingResult& result);

/// Fills in the load of links, the bytes sent by ranks, and the use of NCCL's algorithms.
void fill_traffic(const Placement& placement, const Library& library, StepRunner& runner,
                  const StepAnswer& answer, LayoutResult& result);

/// Time of all iterations of an epoch in seconds; skipped iterations count like the steady one.
[[nodiscard]] double epoch_seconds(const StepRunner& runner, const StepAnswer& answer,
                                   std::uint64_t epoch);

/// Scaling efficiency of jobs that shard more than their data: time of the passes and optimizers of
/// all stages without waits over the iteration. `alone`: passes by stage, without concurrent
/// traffic.
[[nodiscard]] std::optional<double> sharded_efficiency(const training::StepPlan& plan,
                                                       const std::vector<SimTime>& alone,
                                                       SimTime iteration);

/// Fingerprint of a run's results, independent of the way they were computed.
[[nodiscard]] std::string times_fingerprint(const TrainingResult& result);

}  // namespace vgsim::scenario
