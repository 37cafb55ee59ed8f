#include "models/scenario/run/training_run.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <map>

#include "models/collectives/choice.hpp"
#include "models/scenario/build/relaxed_job.hpp"
#include "models/scenario/build/training_preparation.hpp"
#include "models/scenario/run/iteration_reader.hpp"
#include "models/scenario/run/repetitions.hpp"
#include "models/scenario/run/run.hpp"
#include "models/scenario/run/slow_choices.hpp"
#include "models/scenario/run/topology_drawing.hpp"
#include "models/scenario/run/turns.hpp"
#include "models/training/compute_noise.hpp"
#include "models/training/step_times.hpp"
#include "models/vsphere/cpu_budget.hpp"
#include "sim/fingerprint.hpp"
#include "sim/random.hpp"

namespace vgsim::scenario {
namespace {

using collectives::Lowering;
using collectives::PlacedNetwork;
using training::Activity;

struct Run {
  training::TrainingGraph training;
  Timeline timeline;
  training::StepTimes times;
};

/// Draws a rank's computing time anew in each iteration: all of its tasks stretch alike.
std::function<SimTime(TaskId, std::uint64_t, SimTime)> jitter(const Placement& placement,
                                                              const PreparedTraining& prepared,
                                                              const TaskGraph& graph,
                                                              std::uint64_t seed) {
  const double sigma = placement.job.variability.compute_sigma;
  if (sigma == 0.0) return {};
  std::vector<std::uint64_t> streams;
  for (const RankClass& rank : prepared.ranks) {
    streams.push_back(seed_of(rank_name(placement, rank), seed));
  }
  return [sigma, streams = std::move(streams), &graph](TaskId task, std::uint64_t iteration,
                                                       SimTime delay) {
    const auto activity = static_cast<Activity>(graph.category(task));
    if (activity != Activity::kForward && activity != Activity::kBackward &&
        activity != Activity::kOptimizer) {
      return delay;
    }
    return training::stretched(delay,
                               log_normal_factor(streams[graph.subject(task)], iteration, sigma));
  };
}

/// How a step is run over and over.
struct Repetitions {
  std::uint64_t epoch = 1;  ///< iterations of an epoch
  std::uint64_t seed = 1;
  bool draws = true;        ///< where the job varies at random
  bool takes_turns = true;  ///< on GPUs that others use too
  bool quantiles = false;   ///< of steps on them
};

Run run_steps(const Placement& placement, const PreparedTraining& prepared, Lowering& lowering,
              const RunSettings& settings, const Repetitions& repetitions) {
  Run run{training::build_training_graph(prepared.step, lowering), {}, {}};
  const TaskGraph& graph = run.training.graph;
  RunOptions options;
  if (repetitions.draws) options.vary_delay = jitter(placement, prepared, graph, repetitions.seed);
  const bool fails = !placement.job.faults.empty();
  options.iterations = fails ? repetitions.epoch : std::max(repetitions.epoch, kFewestIterations);
  options.keep = std::min<std::size_t>(std::size_t{graph.longest_lag()} + 2, options.iterations);
  if (options.vary_delay) {
    const std::uint64_t affordable =
        std::clamp(kTasksToDraw / graph.size(), std::uint64_t{1}, kMostDrawn);
    options.iterations = std::min(repetitions.epoch, affordable);
    options.keep = options.iterations;
  } else if (settings.find_repeat) {
    options.most_iterations = kMostIterations;
  }
  const bool in_turns = repetitions.takes_turns && prepared.shared.any();
  if (in_turns) {
    options.turns = turns_of(run.training, prepared.shared);
    options.iterations = iterations_in_turns(prepared.step, prepared.shared,
                                             kTasksToDraw / graph.size(), repetitions.quantiles);
    options.keep = options.iterations;
  }
  const bool varies = in_turns || static_cast<bool>(options.vary_delay);
  run.timeline = simulate_checked(graph, prepared.placed.network(), settings, std::move(options));
  run.times = training::read_step_times(run.training, run.timeline, varies);
  return run;
}

Lowering lowering_of(const Placement& placement, PlacedNetwork& placed,
                     const RunSettings& settings) {
  Lowering lowering(placement.ranks(), placement.costs, placed, fidelity_of(placement, settings));
  if (placement.job.exchanges()) lowering.use_pattern(placement.job.pattern);
  return lowering;
}

/// How much gradient traffic hides behind the passes in one iteration without jitter. Ranks that
/// differ by that alone are run as one.
SimTime hidden_traffic(const Placement& placement, const Library& library, Lowering& lowering,
                       const RunSettings& settings, const PreparedTraining& prepared) {
  const Repetitions one{1, 1, false, false};
  if (form_without_jitter(placement, settings) == form_of(placement, settings)) {
    return run_steps(placement, prepared, lowering, settings, one).times.hidden_traffic;
  }
  input::Diagnostics none;  // The job was prepared before, on the same machines.
  PreparedTraining even =
      prepare_training(placement, library, ranks_of(placement, Form::folded), Form::folded, none);
  wait_for_others(placement, library, even);
  if (const auto kind = prepared.placed.left_out()) even.placed.leave_out(*kind);
  Lowering folded = lowering_of(placement, even.placed, settings);
  return run_steps(placement, even, folded, settings, one).times.hidden_traffic;
}

/// Slows the passes down by the gradient traffic that hides behind them, as one iteration shows, or
/// one of another run does that is known. How much that is; nothing where none is looked for.
std::optional<SimTime> add_interference(const Placement& placement, const Library& library,
                                        Lowering& lowering, const RunSettings& settings,
                                        PreparedTraining& prepared) {
  if (!prepared.step.reduces || !prepared.step.overlap) return std::nullopt;
  const auto known = settings.hidden_traffic.find(placement.layout->name);
  const SimTime hidden = known != settings.hidden_traffic.end() && known->second.size() == 1
                             ? known->second.front()
                             : hidden_traffic(placement, library, lowering, settings, prepared);
  const double lost = to_seconds(hidden) * slowed_by_traffic(placement, library);
  if (lost <= 0) return hidden;
  for (std::size_t r = 0; r < prepared.step.compute.size(); ++r) {
    training::ComputeTimes& times = prepared.step.compute[r];
    const SimTime backward = training::backward_of(times);
    if (backward == SimTime{0}) continue;
    prepared.slowed_by_traffic[r] =
        training::stretch_backward(times, 1 + lost / to_seconds(backward));
  }
  return hidden;
}

/// How long each reduction takes where nobody else uses the GPUs: so long it needs them.
void add_reduction_work(const Placement& placement, Lowering& lowering, const RunSettings& settings,
                        PreparedTraining& prepared) {
  if (!prepared.shared.any() || !prepared.step.reduces) return;
  const Run one = run_steps(placement, prepared, lowering, settings, {1, 1, false, false});
  std::vector<SimTime> work;
  for (const auto& bucket : one.training.reduced) {
    work.push_back(one.timeline.task(bucket.end).end - one.timeline.task(bucket.begin).end);
  }
  prepared.step.reduction_work = std::move(work);
}

std::optional<Bottleneck> bottleneck_in(const Placement& placement,
                                        const PreparedTraining& prepared, const Run& run) {
  const SimTime begin = run.times.steady_begin;
  const SimTime end = run.times.steady_end;
  return bottleneck_of(placement, prepared.placed,
                       shares(run.times.critical_path, run.training.graph, begin, end),
                       end - begin);
}

/// The end of an epoch that has fewer iterations than were run.
std::optional<SimTime> end_of_short_epoch(const Run& run, std::uint64_t epoch) {
  if (epoch >= run.timeline.iterations) return std::nullopt;
  const TaskId last = run.training.steps[run.times.rank].optimizer;
  const TaskRecord* record = run.timeline.find(last, run.timeline.iterations - epoch);
  return record == nullptr ? std::nullopt : std::optional(record->end);
}

double epoch_seconds(const Run& run, std::uint64_t epoch) {
  if (const auto end = end_of_short_epoch(run, epoch)) return to_seconds(*end);
  const Repeat& repeat = run.timeline.repeat;
  const double known = to_seconds(run.times.steady_end) +
                       static_cast<double>(repeat.count) * to_seconds(repeat.time);
  const double missing = static_cast<double>(epoch) - static_cast<double>(run.timeline.iterations) -
                         static_cast<double>(repeat.count) * static_cast<double>(repeat.iterations);
  return known + missing * to_seconds(run.times.steady);
}

/// All iterations of the epoch, where each was run or repeats one that was.
std::optional<std::int64_t> epoch_exactly(const Run& run, std::uint64_t epoch) {
  if (const auto end = end_of_short_epoch(run, epoch)) return end->count();
  const Repeat& repeat = run.timeline.repeat;
  if (run.timeline.iterations + repeat.count * repeat.iterations != epoch) return std::nullopt;
  std::int64_t repeated = 0;
  std::int64_t all = 0;
  if (repeat.count > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) ||
      __builtin_mul_overflow(static_cast<std::int64_t>(repeat.count), repeat.time.count(),
                             &repeated) ||
      __builtin_add_overflow(repeated, run.times.steady_end.count(), &all)) {
    return std::nullopt;
  }
  return all;
}

/// How long passes that vary took, over their mean; turns on shared GPUs make none longer.
double drawn_factor(const Placement& placement, const PreparedTraining& prepared, const Run& run) {
  const SimTime mean = training::passes_of(prepared.step.compute[run.times.rank]);
  if (placement.job.variability.compute_sigma == 0.0 || mean == SimTime{0}) return 1.0;
  const double factor = to_seconds(run.times.breakdown.compute) / to_seconds(mean);
  return prepared.shared.any() ? std::min(factor, 1.0) : factor;
}

void fill_times(const Placement& placement, const PreparedTraining& prepared, const Run& run,
                std::uint64_t epoch, TrainingResult& result) {
  const training::TrainingJob& job = *placement.job.training;
  training::Breakdown parts = run.times.breakdown;
  SimTime steady = run.times.steady;
  if (run.timeline.repeat.count == 0 && placement.job.faults.empty()) {
    const auto all = [](TaskId) { return true; };
    const SimTime least = longest_carried(
        prepared.placed, carried_by(run.training.graph, prepared.placed.network(), all));
    parts.data_wait += std::max(least - steady, SimTime{0});
    steady = std::max(steady, least);
  }
  result.network = job.network->name;
  result.tokens = job.tokens;
  result.global_batch = job.parallelism.global_batch();
  result.first_iteration = run.times.first;
  result.iteration = steady;
  result.settled =
      run.timeline.repeat.count > 0 || run.timeline.iterations >= epoch || prepared.shared.any();
  result.iterations_run = run.timeline.iterations;
  result.repeats_after = run.timeline.repeat.count > 0 ? run.timeline.repeat.iterations : 0;
  // What gradient traffic slows kernels down is a cost of communication.
  const double drawn = drawn_factor(placement, prepared, run);
  result.kernels_slowed = training::stretched(prepared.slowed_by_traffic[run.times.rank], drawn);
  result.losses = (*prepared.losses)[run.times.rank];
  for (auto& loss : result.losses) loss.time = training::stretched(loss.time, drawn);
  result.compute = parts.compute - result.kernels_slowed;
  result.exposed_communication = parts.exposed_communication + result.kernels_slowed;
  result.data_wait = parts.data_wait;
  result.optimizer = parts.optimizer;
  result.iterations_per_epoch = static_cast<std::int64_t>(epoch);
  result.epochs = job.epochs;
  result.samples = job.samples(result.iterations_per_epoch);
  result.epoch_ps = epoch_exactly(run, epoch);
  result.epoch_s =
      result.epoch_ps ? to_seconds(SimTime{*result.epoch_ps}) : epoch_seconds(run, epoch);
  const double more = result.iterations() - static_cast<double>(result.iterations_per_epoch);
  result.training_s = result.epoch_s + more * to_seconds(steady);
  result.samples_per_s =
      steady > SimTime{0} ? static_cast<double>(result.global_batch) / to_seconds(steady) : 0.0;
  result.model_flops_per_gpu = result.samples_per_s *
                               static_cast<double>(job.network->operations_of_step() *
                                                   job.network->forward(job.tokens).count()) /
                               static_cast<double>(placement.ranks().ranks());
  result.hardware_flops_per_gpu = result.model_flops_per_gpu;
}

/// What the rank that is shown waited for others who have its GPU, and how steps came out.
void fill_turns(const PreparedTraining& prepared, const Run& run, TrainingResult& result) {
  const SimTime alone = training::passes_of(prepared.step.compute[run.times.rank]);
  const SimTime waited = run.times.breakdown.compute - alone;
  if (waited > SimTime{0}) {
    result.losses.push_back({training::kTurns, waited,
                             "played slice by slice (NVIDIA virtual GPU software user guide, "
                             "scheduling)"});
  }
  result.turns = steps_in_turns(run.training, prepared.shared, run.timeline, prepared.step.reduces);
  result.takes_turns = result.turns.has_value();
}

void fill_traffic(const Placement& placement, const PreparedTraining& prepared, const Run& run,
                  LayoutResult& result) {
  const TaskGraph& graph = run.training.graph;
  const Network& network = prepared.placed.network();
  const auto carried = carried_by(graph, network, [](TaskId) { return true; });
  const SimTime steady = result.training->iteration;
  result.links = link_uses(placement, prepared.placed, carried, steady);
  if (steady > SimTime{0}) {
    result.training->cores_busy = cores_busy(placement, prepared.placed, carried, steady);
  }
  const auto gradients = carried_by(graph, network, [&](TaskId task) {
    return graph.category(task) == static_cast<std::uint32_t>(Activity::kGradients);
  });
  std::map<std::string, Ratio> by_kind;
  for (std::uint32_t i = 0; i < gradients.size(); ++i) {
    const topology::LinkKind kind = prepared.placed.kind(ResourceId{i});
    if (gradients[i] == 0 || kind == topology::LinkKind::kCpu) continue;
    const auto copies = static_cast<std::int64_t>(prepared.placed.link(ResourceId{i}).copies);
    by_kind[topology::to_string(kind)] += gradients[i] * copies;
  }
  for (const auto& [kind, bytes] : by_kind) {
    result.training->gradient_bytes_by_kind[kind] = to_double(bytes);
  }
  for (const auto& bucket : prepared.step.buckets) {
    result.training->gradient_bytes += static_cast<double>(bucket.size.count());
  }
  result.training->buckets = prepared.step.buckets.size();
  if (prepared.step.reduces) {
    result.training->sent_bytes[to_string(training::Axis::kData)] =
        result.training->gradient_bytes *
        collectives::bus_factor(collectives::Collective::kAllReduce, placement.ranks().ranks());
  }
}

/// What is asked for beside the figures: the iteration in time, and the links with their load.
void record(const Placement& placement, const PreparedTraining& prepared, const Run& run,
            LayoutResult& result) {
  result.record = read_iteration({placement, prepared.placed, prepared.ranks, prepared.step,
                                  run.training, run.timeline, run.times});
  const auto carried =
      carried_by(run.training.graph, prepared.placed.network(), [](TaskId) { return true; });
  const RanIteration ran{run.training.graph, run.timeline, run.times.steady_begin,
                         run.times.steady_end};
  result.picture = draw_topology(placement, prepared.placed, carried, run.times.steady, &ran);
}

void fill_algorithms(const Placement& placement, const Library& library,
                     const PreparedTraining& prepared, Lowering& lowering, LayoutResult& result) {
  if (!prepared.step.reduces || placement.job.pattern != collectives::Pattern::kNccl) return;
  const collectives::Chooser chooser(placement.ranks());
  std::map<Bytes, std::size_t> calls;
  for (const auto& bucket : prepared.step.buckets) {
    const auto choice = chooser.choose(collectives::Collective::kAllReduce, bucket.size);
    if (!choice) continue;
    ++result.training
          ->algorithms[fmt::format("{} {}", collectives::nccl::to_string(choice->chosen.algorithm),
                                   collectives::nccl::to_string(choice->chosen.protocol))];
    ++calls[bucket.size];
  }
  warn_of_slow_choices(placement, library, collectives::Collective::kAllReduce, calls, lowering,
                       result);
}

/// What is busy for the whole iteration holds it back, whatever else the last one waited for.
std::optional<Bottleneck> saturated(const LayoutResult& result) {
  constexpr double kAllTheTime = 0.995;
  if (result.links.empty() || result.links.front().utilization < kAllTheTime) return std::nullopt;
  const LinkUse& busiest = result.links.front();
  return Bottleneck{busiest.resource, busiest.kind, busiest.utilization, {}};
}

/// What a run tells of its results alone, however it was found.
std::string times_fingerprint(const TrainingResult& result) {
  Fingerprint print;
  for (const SimTime time : {result.first_iteration, result.iteration, result.compute,
                             result.exposed_communication, result.data_wait, result.optimizer}) {
    print.add(static_cast<std::uint64_t>(time.count()));
  }
  if (result.epoch_ps) print.add(static_cast<std::uint64_t>(*result.epoch_ps));
  return fingerprint_text(print.value());
}

double share_of(SimTime part, SimTime all) {
  return all > SimTime{0} ? to_seconds(part) / to_seconds(all) : 0.0;
}

/// What the job takes, and waits for, where no link of that kind holds it back.
NextLimit limit_without(topology::LinkKind kind, Choices choices, const Placement& placement,
                        const Library& library, const RunSettings& settings,
                        const Repetitions& repetitions) {
  RunSettings own = settings;
  own.epoch_end = false;
  RelaxedJob job = relax(placement, library, kind, choices, form_of(placement, own));
  Lowering lowering = lowering_of(job.placement, job.training.placed, own);
  add_interference(job.placement, library, lowering, own, job.training);
  add_reduction_work(job.placement, lowering, own, job.training);
  const Run next = run_steps(job.placement, job.training, lowering, own, repetitions);
  const training::Breakdown& parts = next.times.breakdown;
  return {topology::to_string(kind), next.times.steady,
          bottleneck_in(job.placement, job.training, next),
          share_of(parts.compute + parts.optimizer, next.times.steady)};
}

/// NCCL chooses by the rates that it reads, so it chooses anew where they rise; what it then
/// chooses may be worse than what it did before, and a limit that is gone slows nothing down.
void find_next_limit(topology::LinkKind kind, const Placement& placement, const Library& library,
                     const RunSettings& settings, const Repetitions& repetitions,
                     LayoutResult& result) {
  const auto without = [&](Choices choices) {
    return limit_without(kind, choices, placement, library, settings, repetitions);
  };
  NextLimit next = without(nccl_reads(kind) ? Choices::kAnew : Choices::kKept);
  if (nccl_reads(kind) && next.iteration > result.training->iteration) {
    next = without(Choices::kKept);
  }
  result.training->next = std::move(next);
}

Repetitions repetitions_of(const Placement& placement, const RunSettings& settings) {
  return {static_cast<std::uint64_t>(placement.job.training->iterations()),
          settings.seed.value_or(placement.job.variability.seed), true, true, !settings.only_times};
}

/// A rank whose passes are as short as any: no straggler, where others are none.
const RankClass& fastest_rank(const PreparedTraining& training) {
  const auto& compute = training.step.compute;
  const auto shortest =
      std::min_element(compute.begin(), compute.end(), [](const auto& a, const auto& b) {
        return training::passes_of(a) < training::passes_of(b);
      });
  return training.ranks[static_cast<std::size_t>(shortest - compute.begin())];
}

/// An iteration of one rank that exchanges nothing. Where passes vary, in as many draws as the job
/// had: those that this rank had among the others.
SimTime time_alone(const Placement& placement, const Library& library, const RunSettings& settings,
                   const RankClass& rank, const TrainingResult& job) {
  input::Diagnostics none;
  PreparedTraining single = prepare_training(placement, library, {rank}, Form::folded, none);
  single.step.reduces = false;
  const collectives::RankGroup none_else;
  Lowering nothing(none_else, placement.costs, single.placed);
  Repetitions repetitions{kFewestIterations, 1, false};
  if (placement.job.variability.compute_sigma > 0.0) {
    repetitions = repetitions_of(placement, settings);
    repetitions.epoch = std::min(repetitions.epoch, job.iterations_run);
    repetitions.takes_turns = false;
  }
  return run_steps(placement, single, nothing, settings, repetitions).times.steady;
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
void fill_spreads(const Placement& placement, const PreparedTraining& prepared, Lowering& lowering,
                  const RunSettings& settings, const Repetitions& first, const Run& first_run,
                  TrainingResult& result) {
  if (settings.seeds < 2) return;
  std::vector<double> iterations{to_seconds(first_run.times.steady)};
  std::vector<double> epochs{result.epoch_s};
  for (std::uint64_t i = 1; i < settings.seeds; ++i) {
    Repetitions other = first;
    other.seed += i;
    const Run run = run_steps(placement, prepared, lowering, settings, other);
    iterations.push_back(to_seconds(run.times.steady));
    epochs.push_back(epoch_seconds(run, first.epoch));
  }
  result.iteration_spread = spread_of(std::move(iterations));
  result.epoch_spread = spread_of(std::move(epochs));
}

/// Runs the job as it is. The kind of link that holds it back; nothing where none does, or that is
/// not asked for.
std::optional<topology::LinkKind> run_as_it_is(const PreparedLayout& layout,
                                               const RunSettings& settings, LayoutResult& result) {
  const Placement& placement = layout.placement;
  const Library& library = *layout.library.library;
  PreparedTraining prepared = *layout.training;
  Lowering lowering = lowering_of(placement, prepared.placed, settings);
  const Repetitions repetitions = repetitions_of(placement, settings);
  const auto hidden = add_interference(placement, library, lowering, settings, prepared);
  if (hidden) result.hidden_traffic = {*hidden};
  add_reduction_work(placement, lowering, settings, prepared);
  const Run run = run_steps(placement, prepared, lowering, settings, repetitions);

  result.training.emplace();
  fill_times(placement, prepared, run, repetitions.epoch, *result.training);
  result.training->floors =
      traffic_floors(placement, prepared.placed, run.training.graph, run.times.hidden_traffic);
  if (prepared.shared.any()) fill_turns(prepared, run, *result.training);
  result.training->breakdown_rank = rank_name(placement, prepared.ranks[run.times.rank]);
  if (settings.only_times) return std::nullopt;
  fill_traffic(placement, prepared, run, result);
  fill_algorithms(placement, library, prepared, lowering, result);
  result.bottleneck = saturated(result);
  if (!result.bottleneck) result.bottleneck = bottleneck_in(placement, prepared, run);
  result.events = run.timeline.events;
  result.event_fingerprint = fingerprint_text(event_fingerprint(run.timeline));
  result.fingerprint = times_fingerprint(*result.training);
  fill_spreads(placement, prepared, lowering, settings, repetitions, run, *result.training);
  if (settings.record) record(placement, prepared, run, result);
  if (!result.bottleneck) return std::nullopt;
  return link_kind_called(prepared.placed, result.bottleneck->kind);
}

}  // namespace

/// What was run as it is makes room before the run without its limit: of very many ranks that vary
/// each fills gigabytes.
void run_training(const PreparedLayout& layout, const RunSettings& settings, LayoutResult& result) {
  const Placement& placement = layout.placement;
  const Library& library = *layout.library.library;
  const auto limit = run_as_it_is(layout, settings, result);
  if (settings.only_times) return;
  if (limit && settings.next_limit) {
    find_next_limit(*limit, placement, library, settings, repetitions_of(placement, settings),
                    result);
  } else if (!limit && !result.links.empty()) {
    result.bottleneck =
        Bottleneck{result.links.front().resource, result.links.front().kind, 0.0, {}};
  }
  const SimTime alone =
      time_alone(placement, library, settings, fastest_rank(*layout.training), *result.training);
  if (alone > SimTime{0}) {
    // Ranks that exchange nothing vary apart: this one may have taken longer than the last to end.
    result.training->scaling_efficiency =
        std::min(1.0, to_seconds(alone) / to_seconds(result.training->iteration));
  }
}

}  // namespace vgsim::scenario
