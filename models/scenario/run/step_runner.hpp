#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "models/collectives/fidelity.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "models/scenario/build/training_preparation.hpp"
#include "models/scenario/run/group_exchanger.hpp"
#include "models/scenario/run/result.hpp"
#include "models/training/step_times.hpp"
#include "sim/critical_path.hpp"
#include "sim/engine.hpp"

namespace vgsim::scenario {

/// How a step is run over and over.
struct Repetitions {
  std::uint64_t epoch = 1;  ///< iterations of an epoch
  std::uint64_t seed = 1;
  bool draws = true;        ///< where the job varies at random
  bool takes_turns = true;  ///< on GPUs that others use too
  bool quantiles = false;   ///< of steps on them
};

[[nodiscard]] Repetitions repetitions_of(const Placement& placement, const RunSettings& settings);

/// An iteration that was run some times.
struct StepRun {
  training::TrainingGraph training;
  Timeline timeline;
  training::StepTimes times;
  std::uint64_t iterations = 0;  ///< that were run
};

/// What runs tell of an iteration of all micro-batches.
struct StepAnswer {
  training::StepTimes times;
  std::vector<Ratio> carried;    ///< by resource
  std::vector<Ratio> gradients;  ///< of it
  std::vector<PathShare> path;   ///< of the critical path
  SimTime path_length{};
  Floors floors;                 ///< whatever hides
  std::uint64_t iterations = 0;  ///< that were run
  Repeat repeat;
  std::optional<SimTime> short_epoch;  ///< the end of an epoch that has fewer iterations than that
  std::optional<TurnsResult> turns;    ///< of GPUs that are shared in turns
  std::uint64_t events = 0;
  std::uint64_t tasks = 0;  ///< of the graph
  std::uint64_t event_fingerprint = 0;
};

/// A training job on its links: as they are, or without those of one kind.
class StepRunner {
 public:
  /// All but `prepared` must outlive it. `fidelity`: of the collectives of all ranks.
  StepRunner(const Placement& placement, const Library& library, PreparedTraining prepared,
             const RunSettings& settings, collectives::Fidelity fidelity);
  StepRunner(const StepRunner&) = delete;
  StepRunner& operator=(const StepRunner&) = delete;

  /// Runs it, with its passes as slow as the traffic beside them makes them. Of very many
  /// micro-batches some are run: once the pipeline is full, each round of them takes as long. Where
  /// an iteration is recorded, all are.
  [[nodiscard]] StepAnswer run(const Repetitions& how);
  /// The same as slow as it is by now: with other seeds, or with the slowdown of another run.
  [[nodiscard]] StepAnswer run_again(const Repetitions& how);
  void be_as_slow_as(const std::vector<training::SlowdownFactors>& slower);
  /// All micro-batches, without looking for what slows them down.
  [[nodiscard]] StepRun run_once(const Repetitions& how);

  [[nodiscard]] std::vector<training::SlowdownFactors> slowdown() const;
  [[nodiscard]] const PreparedTraining& prepared() const { return prepared_; }
  [[nodiscard]] GroupExchanger& exchanger() { return exchanger_; }
  /// Traffic, as LayoutResult::hidden_traffic; empty where no run was asked for it.
  [[nodiscard]] const std::vector<SimTime>& hidden() const { return hidden_; }
  /// Of all micro-batches, where an iteration is recorded.
  [[nodiscard]] const std::optional<StepRun>& recorded() const { return recorded_; }
  [[nodiscard]] std::optional<Bottleneck> bottleneck_in(const StepAnswer& answer) const;
  /// Whether the steady iteration may be shorter than what its links carry takes.
  [[nodiscard]] bool needs_floor_of_resources(const StepAnswer& answer) const;

 private:
  [[nodiscard]] bool apart() const { return !prepared_.plan.barrier; }
  [[nodiscard]] bool varies() const;
  [[nodiscard]] bool hides_traffic() const;
  [[nodiscard]] SimTime hidden_without_draws();
  bool slow_down(const std::vector<SimTime>& hidden, double share);
  void add_exchange_work();
  void check_size_of(const training::StepPlan& plan) const;
  [[nodiscard]] std::function<SimTime(TaskId, std::uint64_t, SimTime)> jitter(
      const TaskGraph& graph, std::uint64_t seed) const;
  [[nodiscard]] RunOptions options_of(const training::TrainingGraph& training,
                                      const Repetitions& how) const;
  [[nodiscard]] StepRun run_once(std::int64_t micro_batches, const Repetitions& how);
  [[nodiscard]] bool input_may_wait(const StepRun& run, std::int64_t micro_batches) const;
  [[nodiscard]] StepAnswer answer_of(const StepRun& run, const Repetitions& how) const;

  const Placement& placement_;
  const Library& library_;
  PreparedTraining prepared_;
  const RunSettings& settings_;
  GroupExchanger exchanger_;
  std::vector<SimTime> hidden_;
  std::optional<StepRun> recorded_;
};

}  // namespace vgsim::scenario
