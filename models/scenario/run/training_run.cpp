#include "models/scenario/run/training_run.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "models/scenario/build/relaxed_job.hpp"
#include "models/scenario/build/training_preparation.hpp"
#include "models/scenario/run/iteration_reader.hpp"
#include "models/scenario/run/repetitions.hpp"
#include "models/scenario/run/run.hpp"
#include "models/scenario/run/step_runner.hpp"
#include "models/scenario/run/topology_drawing.hpp"
#include "models/scenario/run/training_figures.hpp"
#include "sim/fingerprint.hpp"

namespace vgsim::scenario {
namespace {

/// Fidelity of collectives of all ranks; those of sharded jobs are fluid.
collectives::Fidelity fidelity_of_job(const Placement& placement, const RunSettings& settings) {
  return placement.job.training->data_parallel_only ? fidelity_of(placement, settings)
                                                    : collectives::Fidelity::kFluid;
}

/// Adds requested details: the record of the iteration, and the links with their load.
void record(const Placement& placement, const StepRunner& runner, const StepAnswer& answer,
            LayoutResult& result) {
  const StepRun& run = *runner.recorded();
  const PreparedTraining& prepared = runner.prepared();
  result.record = read_iteration(
      {placement, prepared.placed, *prepared.units, run.training, run.timeline, run.times});
  const RanIteration ran{run.training.graph, run.timeline, run.times.steady_begin,
                         run.times.steady_end};
  result.picture =
      draw_topology(placement, prepared.placed, answer.carried, answer.times.steady, &ran);
}

/// A resource that is busy for the whole iteration is the bottleneck.
std::optional<Bottleneck> saturated(const LayoutResult& result) {
  constexpr double kAllTheTime = 0.995;
  if (result.links.empty() || result.links.front().utilization < kAllTheTime) return std::nullopt;
  const LinkUse& busiest = result.links.front();
  return Bottleneck{busiest.resource, busiest.kind, busiest.utilization, {}};
}

double share_of(SimTime part, SimTime all) {
  return all > SimTime{0} ? to_seconds(part) / to_seconds(all) : 0.0;
}

/// Slowdown of the unchanged job; nothing if it is determined again.
using Slowdown = std::optional<std::vector<training::SlowdownFactors>>;

/// Time and bottleneck of the job with infinitely fast links of that kind.
NextLimit limit_without(topology::LinkKind kind, Choices choices, const PreparedLayout& layout,
                        const RunSettings& settings, const Slowdown& slowdown) {
  RunSettings own = settings;
  own.epoch_end = false;
  own.record = false;
  const Library& library = *layout.library.library;
  RelaxedJob job = relax(layout.placement, library, kind, choices, layout.training->units);
  StepRunner runner(job.placement, library, std::move(job.training), own,
                    fidelity_of_job(job.placement, own));
  const Repetitions how = repetitions_of(job.placement, own);
  if (slowdown) runner.be_as_slow_as(*slowdown);
  const StepAnswer next = slowdown ? runner.run_again(how) : runner.run(how);
  const training::Breakdown& parts = next.times.breakdown;
  return {topology::to_string(kind), next.times.steady, runner.bottleneck_in(next),
          share_of(parts.compute + parts.optimizer, next.times.steady)};
}

/// NCCL makes new choices for the higher rates it reads. If these are worse than its earlier ones,
/// the earlier ones are used, since a removed limit must not slow the job down.
void find_next_limit(topology::LinkKind kind, const PreparedLayout& layout,
                     const RunSettings& settings, const Slowdown& slowdown, LayoutResult& result) {
  const auto without = [&](Choices choices) {
    return limit_without(kind, choices, layout, settings, slowdown);
  };
  NextLimit next = without(nccl_reads(kind) ? Choices::kAnew : Choices::kKept);
  if (nccl_reads(kind) && next.iteration > result.training->iteration) {
    next = without(Choices::kKept);
  }
  result.training->next = std::move(next);
}

SimTime passes_of_unit(const PreparedTraining& prepared, std::size_t unit) {
  return training::passes_of(prepared.plan, unit).all();
}

/// A unit with the shortest passes.
std::size_t fastest_unit(const PreparedTraining& prepared) {
  std::size_t fastest = 0;
  for (std::size_t u = 1; u < prepared.plan.units.size(); ++u) {
    if (passes_of_unit(prepared, u) < passes_of_unit(prepared, fastest)) fastest = u;
  }
  return fastest;
}

/// Mean relative slowdown of passes against the fastest unit, averaged over the ranks' rates.
double longer_than_fastest(const PreparedTraining& prepared, std::size_t fastest) {
  const double least = to_seconds(passes_of_unit(prepared, fastest));
  double ranks = 0;
  double rates = 0;  // relative to the fastest
  for (std::size_t u = 0; u < prepared.plan.units.size(); ++u) {
    const auto& alike = prepared.units->alike;
    const double count = alike.empty() ? 1.0 : static_cast<double>(alike[u]);
    const SimTime own = passes_of_unit(prepared, u);
    ranks += count;
    rates += own == SimTime{0} ? count : count * least / to_seconds(own);
  }
  return ranks / rates - 1;
}

/// Iteration of a rank without communication, averaged over the ranks' rates: the reference of the
/// scaling efficiency. With varying passes it uses as many draws as the job, those of this rank.
SimTime time_alone(const PreparedLayout& layout, const RunSettings& settings,
                   const TrainingResult& job) {
  const Placement& placement = layout.placement;
  const Library& library = *layout.library.library;
  const PreparedTraining& prepared = *layout.training;
  const std::size_t fastest = fastest_unit(prepared);
  const auto units = std::make_shared<const JobUnits>(
      unit_alone(placement, prepared.units->units[fastest].front()));
  input::Diagnostics diagnostics;  // The job was prepared before, on the same machines.
  PreparedTraining own = prepare_training(placement, library, units, diagnostics);
  input::expect_no_errors(diagnostics);
  StepRunner single(placement, library, std::move(own), settings, collectives::Fidelity::kFluid);
  Repetitions how{kFewestIterations, 1, false};
  if (placement.job.variability.compute_sigma > 0.0) {
    how = repetitions_of(placement, settings);
    how.epoch = std::min(how.epoch, job.iterations_run);
    how.time_sliced = false;
  }
  const SimTime longer = training::stretched(passes_of_unit(single.prepared(), 0),
                                             longer_than_fastest(prepared, fastest));
  return single.run_once(how).times.steady + longer;
}

Spread spread_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  const auto nearest_rank = [&](std::size_t percent) {
    return values[std::max<std::size_t>((n * percent + 99) / 100, 1) - 1];
  };
  const double median = n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
  return {n, median, nearest_rank(5), nearest_rank(95)};
}

/// Runs the other seeds; `first` is the run of the first one.
void fill_spreads(StepRunner& runner, const RunSettings& settings, const Repetitions& how,
                  const StepAnswer& first, TrainingResult& result) {
  if (settings.seeds < 2) return;
  std::vector<double> iterations{to_seconds(first.times.steady)};
  std::vector<double> epochs{result.epoch_s};
  for (std::uint64_t i = 1; i < settings.seeds; ++i) {
    Repetitions other = how;
    other.seed += i;
    const StepAnswer answer = runner.run_again(other);
    iterations.push_back(to_seconds(answer.times.steady));
    epochs.push_back(epoch_seconds(runner, answer, how.epoch));
  }
  result.iteration_spread = spread_of(std::move(iterations));
  result.epoch_spread = spread_of(std::move(epochs));
}

/// Passes by stage, without concurrent traffic.
std::vector<SimTime> passes_alone(const training::StepPlan& plan) {
  std::vector<SimTime> alone;
  for (std::size_t u = 0; u < plan.units.size(); u += plan.replicas) {
    const SimTime all = training::passes_of(plan.work_of(u), plan.parallelism.micro_batches).all();
    alone.push_back(training::slowed(all, plan.units[u].slower.forward));
  }
  return alone;
}

/// The kind of the bottleneck link, and the slowdown of the job.
struct Limit {
  topology::LinkKind kind{};
  Slowdown slowdown;
};

/// Runs the unchanged job. Returns its bottleneck; nothing if there is none, or if it was not
/// requested.
std::optional<Limit> run_as_it_is(const PreparedLayout& layout, const RunSettings& settings,
                                  LayoutResult& result) {
  const Placement& placement = layout.placement;
  const Library& library = *layout.library.library;
  const bool sharded = !placement.job.training->data_parallel_only;
  StepRunner runner(placement, library, *layout.training, settings,
                    fidelity_of_job(placement, settings));
  const std::vector<SimTime> alone = passes_alone(runner.prepared().plan);
  const Repetitions how = repetitions_of(placement, settings);
  const StepAnswer answer = runner.run(how);

  TrainingResult& training = result.training.emplace();
  fill_times(placement, runner, answer, how.epoch, training);
  result.hidden_traffic = runner.hidden();
  if (sharded) {
    training.scaling_efficiency =
        sharded_efficiency(runner.prepared().plan, alone, training.iteration);
  }
  if (settings.only_times) return std::nullopt;
  fill_traffic(placement, library, runner, answer, result);
  result.bottleneck = saturated(result);
  if (!result.bottleneck) result.bottleneck = runner.bottleneck_in(answer);
  result.events = answer.events;
  result.tasks = answer.tasks;
  result.event_fingerprint = fingerprint_text(answer.event_fingerprint);
  result.fingerprint = times_fingerprint(training);
  fill_spreads(runner, settings, how, answer, training);
  if (settings.record) record(placement, runner, answer, result);
  if (!result.bottleneck) return std::nullopt;
  Limit limit{link_kind_called(runner.prepared().placed, result.bottleneck->kind), {}};
  if (sharded) limit.slowdown = runner.slowdown();
  return limit;
}

}  // namespace

/// Frees the first run before that of the next bottleneck: with very many varying ranks each needs
/// gigabytes. A bottleneck is a link on the critical path; if there is none, the busiest link is
/// shown.
void run_training(const PreparedLayout& layout, const RunSettings& settings, LayoutResult& result) {
  const auto limit = run_as_it_is(layout, settings, result);
  if (settings.only_times) return;
  if (limit && settings.next_limit) {
    find_next_limit(limit->kind, layout, settings, limit->slowdown, result);
    TrainingResult& training = *result.training;
    if (limit->kind == topology::LinkKind::kCpu && training.next->iteration > SimTime{0}) {
      training.cores_missing =
          training.cores_busy *
          (to_seconds(training.iteration) / to_seconds(training.next->iteration) - 1);
    }
  } else if (!limit && !result.links.empty()) {
    result.bottleneck =
        Bottleneck{result.links.front().resource, result.links.front().kind, 0.0, {}};
  }
  if (!layout.placement.job.training->data_parallel_only) return;
  const SimTime alone = time_alone(layout, settings, *result.training);
  if (alone > SimTime{0}) {
    // Ranks without communication vary independently: this one may have taken longer than the
    // slowest of the job.
    result.training->scaling_efficiency =
        std::min(1.0, share_of(alone, result.training->iteration));
  }
}

}  // namespace vgsim::scenario
