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

/// How often and how a step is simulated.
struct Repetitions {
  std::uint64_t epoch = 1;  ///< iterations of an epoch
  std::uint64_t seed = 1;
  bool draws = true;        ///< draw the job's random variations
  bool time_sliced = true;  ///< simulate time slices of shared GPUs
  bool quantiles = false;   ///< run enough steps for quantiles
};

[[nodiscard]] Repetitions repetitions_of(const Placement& placement, const RunSettings& settings);

/// Simulated iterations.
struct StepRun {
  training::TrainingGraph training;
  Timeline timeline;
  training::StepTimes times;
  std::uint64_t iterations = 0;  ///< number of simulated iterations
  std::size_t rank = 0;          ///< of the breakdown
};

/// Results for an iteration of all micro-batches.
struct StepAnswer {
  training::StepTimes times;
  std::size_t rank = 0;          ///< of the breakdown
  std::vector<Ratio> carried;    ///< by resource
  std::vector<Ratio> gradients;  ///< part of `carried`
  /// Shares of the core time on the busiest host, 0 to 1: decoding and storage reads.
  double decoding_cores = 0.0;
  double storage_cores = 0.0;
  std::vector<PathShare> path;  ///< shares of the critical path
  SimTime path_length{};
  Floors floors;                 ///< without overlap
  std::uint64_t iterations = 0;  ///< number of simulated iterations
  Repeat repeat;
  std::optional<SimTime> short_epoch;                ///< end of an epoch with fewer iterations
  std::optional<TimeSlicedSteps> time_sliced_steps;  ///< for GPUs shared by time slices
  std::uint64_t events = 0;
  std::uint64_t tasks = 0;  ///< number of tasks in the graph
  std::uint64_t event_fingerprint = 0;
};

/// A training job on its links, or on relaxed links of one kind.
class StepRunner {
 public:
  /// All arguments except `prepared` must outlive it. `fidelity`: for collectives of all ranks.
  StepRunner(const Placement& placement, const Library& library, PreparedTraining prepared,
             const RunSettings& settings, collectives::Fidelity fidelity);
  StepRunner(const StepRunner&) = delete;
  StepRunner& operator=(const StepRunner&) = delete;

  /// Runs it, with passes slowed by concurrent traffic. Of very many micro-batches only some are
  /// simulated, since rounds take the same time once the pipeline is full; for a recorded iteration
  /// all are.
  [[nodiscard]] StepAnswer run(const Repetitions& how);
  /// Runs it again with the current slowdown: with other seeds, or with the slowdown of another
  /// run of the same job.
  [[nodiscard]] StepAnswer run_again(const Repetitions& how);
  void be_as_slow_as(const std::vector<training::SlowdownFactors>& slower);
  /// Runs all micro-batches once, without determining the slowdown.
  [[nodiscard]] StepRun run_once(const Repetitions& how);

  /// The tasks of an iteration; of very many micro-batches, of enough for its pace.
  [[nodiscard]] training::TrainingGraph part_of_step();

  [[nodiscard]] std::vector<training::SlowdownFactors> slowdown() const;
  [[nodiscard]] const PreparedTraining& prepared() const { return prepared_; }
  [[nodiscard]] GroupExchanger& exchanger() { return *exchanger_; }
  /// LayoutResult::hidden_traffic; empty if not determined.
  [[nodiscard]] const std::vector<SimTime>& hidden() const { return hidden_; }
  /// Run of all micro-batches, for a recorded iteration.
  [[nodiscard]] const std::optional<StepRun>& recorded() const { return recorded_; }
  [[nodiscard]] std::optional<Bottleneck> bottleneck_in(const StepAnswer& answer) const;
  /// Whether the steady iteration may be shorter than the time of its busiest resource.
  [[nodiscard]] bool needs_floor_of_resources(const StepAnswer& answer) const;

 private:
  [[nodiscard]] bool apart() const { return !prepared_.plan.barrier; }
  [[nodiscard]] bool varies() const;
  [[nodiscard]] bool hides_traffic() const;
  [[nodiscard]] SimTime hidden_without_draws();
  bool slow_down(const std::vector<SimTime>& hidden, double share);
  void add_exchange_work();
  void check_size_of(const training::StepPlan& plan) const;
  [[nodiscard]] PreparedTraining prepared_with(Aggregation aggregation) const;
  [[nodiscard]] bool may_vary_together() const;
  [[nodiscard]] bool varied_together(const StepRun& run) const;
  void simulate_each_rank();
  [[nodiscard]] RunOptions options_of(const training::TrainingGraph& training,
                                      const Repetitions& how) const;
  [[nodiscard]] StepRun run_once(std::int64_t micro_batches, const Repetitions& how);
  [[nodiscard]] training::StepPlan plan_of(std::int64_t micro_batches) const;
  [[nodiscard]] bool input_may_wait(const StepRun& run, std::int64_t micro_batches) const;
  [[nodiscard]] StepAnswer answer_of(const StepRun& run, const Repetitions& how) const;

  const Placement& placement_;
  const Library& library_;
  PreparedTraining prepared_;
  const RunSettings& settings_;
  collectives::Fidelity fidelity_;
  std::optional<GroupExchanger> exchanger_;
  std::vector<SimTime> hidden_;
  std::optional<StepRun> recorded_;
};

}  // namespace vgsim::scenario
