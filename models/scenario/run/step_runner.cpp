#include "models/scenario/run/step_runner.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

#include "models/scenario/run/rank_delays.hpp"
#include "models/scenario/run/repetitions.hpp"
#include "models/scenario/run/run.hpp"
#include "models/scenario/run/time_slices.hpp"
#include "models/training/compute_noise.hpp"

namespace vgsim::scenario {
namespace {

using training::Activity;
using training::StageWork;
using training::StepPlan;
using training::StepSegment;

/// Numbers of simulated micro-batches for extrapolation, in rounds of all stages.
struct Rounds {
  std::int64_t shorter = 0;
  std::int64_t longer = 0;
};

/// Once the pipeline is full and gathers and reductions have reached a steady order, each round of
/// micro-batches takes the same time. If rounds are single micro-batches, groups that share links
/// may need several to reach it. Nothing for GPipe, whose reductions all follow the backward
/// passes.
std::optional<Rounds> rounds_to_run(const training::Parallelism& p) {
  if (p.pipeline == 1) return Rounds{4, 8};
  if (p.sharding < training::Sharding::kGradients) return Rounds{1, 2};
  if (p.schedule == training::Schedule::kGpipe) return std::nullopt;
  return Rounds{2, 3};
}

/// Omits the last iterations of a complete run, which no longer fetch input.
void leave_out_end(Timeline& timeline, std::uint64_t count) {
  if (count == 0 || count + 1 > timeline.earlier.size()) return;
  timeline.tasks = std::move(timeline.earlier[count - 1]);
  const auto end = timeline.earlier.begin() + static_cast<std::ptrdiff_t>(count);
  timeline.earlier.erase(timeline.earlier.begin(), end);
  timeline.iterations -= count;
}

StepAnswer extrapolated(const StepAnswer& shorter, StepAnswer longer,
                        const training::Extrapolation& by) {
  longer.times = training::extrapolated(shorter.times, longer.times, by);
  for (SimTime Floors::*floor : {&Floors::links, &Floors::communication}) {
    longer.floors.*floor = by.of(shorter.floors.*floor, longer.floors.*floor);
  }
  const Ratio more = Ratio(by.more) / Ratio(by.between);
  for (std::size_t i = 0; i < longer.carried.size(); ++i) {
    const auto prolong = [&](std::vector<Ratio>& amounts, const std::vector<Ratio>& before) {
      if (amounts[i] != before[i]) amounts[i] += (amounts[i] - before[i]) * more;
    };
    prolong(longer.carried, shorter.carried);
    prolong(longer.gradients, shorter.gradients);
  }
  for (PathShare& share : longer.path) {
    for (const PathShare& before : shorter.path) {
      if (before.kind == share.kind && before.key == share.key) {
        share.time = std::max(by.of(before.time, share.time), SimTime{0});
        break;
      }
    }
  }
  longer.path_length = longer.times.steady;
  return longer;
}

/// End of an epoch with fewer iterations than were simulated.
std::optional<SimTime> end_of_short_epoch(const StepRun& run, std::uint64_t epoch) {
  if (epoch >= run.timeline.iterations) return std::nullopt;
  const TaskRecord* record =
      run.timeline.find(run.training.end_of(run.times.unit), run.timeline.iterations - epoch);
  return record == nullptr ? std::nullopt : std::optional(record->end);
}

bool goes_on_beside(const std::vector<StepSegment>& segments, bool reductions) {
  return std::any_of(segments.begin(), segments.end(), [&](const StepSegment& segment) {
    return !segment.beside.empty() || !segment.gathered.empty() ||
           (reductions && !segment.reduced.empty());
  });
}

}  // namespace

Repetitions repetitions_of(const Placement& placement, const RunSettings& settings) {
  return {static_cast<std::uint64_t>(placement.job.training->iterations()),
          settings.seed.value_or(placement.job.variability.seed), true, true, !settings.only_times};
}

StepRunner::StepRunner(const Placement& placement, const Library& library,
                       PreparedTraining prepared, const RunSettings& settings,
                       collectives::Fidelity fidelity)
    : placement_(placement),
      library_(library),
      prepared_(std::move(prepared)),
      settings_(settings),
      fidelity_(fidelity) {
  exchanger_.emplace(placement_, *prepared_.units, prepared_.placed, fidelity_);
  if (!may_vary_together()) simulate_each_rank();
}

StepAnswer StepRunner::run(const Repetitions& how) {
  const double share = hides_traffic() ? slowed_by_traffic(placement_, library_) : 0.0;
  if (share > 0) {
    const auto known = settings_.hidden_traffic.find(placement_.layout->name);
    if (known != settings_.hidden_traffic.end() &&
        known->second.size() == (apart() ? 1 : prepared_.plan.units.size())) {
      slow_down(known->second, share);
    } else if (apart()) {
      hidden_ = {hidden_without_draws()};
      slow_down(hidden_, share);
    } else {
      Repetitions even = how;
      even.draws = even.time_sliced = false;
      StepAnswer answer = run_again(even);
      hidden_ = answer.times.hidden;
      const bool as_it_is = !varies() && !settings_.record && !prepared_.shared.any();
      if (!slow_down(hidden_, share) && as_it_is) return answer;
    }
  }
  add_exchange_work();
  if (!settings_.record) return run_again(how);
  recorded_ = run_once(how);
  return answer_of(*recorded_, how);
}

StepRun StepRunner::run_once(const Repetitions& how) {
  return run_once(prepared_.plan.parallelism.micro_batches, how);
}

/// Simulates all micro-batches, or enough to extrapolate the others.
StepAnswer StepRunner::run_again(const Repetitions& how) {
  const training::Parallelism& p = prepared_.plan.parallelism;
  const auto round = static_cast<std::int64_t>(p.pipeline);
  const auto rounds = rounds_to_run(p);
  const std::int64_t more = rounds ? p.micro_batches / round - rounds->longer : 0;
  const bool shortens =
      more > 1 && settings_.find_repeat && !placement_.job.is_uneven() && !prepared_.shared.any();
  if (!shortens) {
    const StepRun run = run_once(how);
    if (!how.draws || varied_together(run)) return answer_of(run, how);
    simulate_each_rank();
    return answer_of(run_once(how), how);
  }
  const training::Extrapolation by{more, rounds->longer - rounds->shorter};
  const std::int64_t most = p.micro_batches - more * round;
  const StepRun longer = run_once(most, how);
  if (input_may_wait(longer, most)) return answer_of(run_once(how), how);
  StepRun shorter = run_once(most - by.between * round, how);
  shorter.times =
      training::read_step_times(shorter.training, shorter.timeline, false, longer.times.unit);
  return extrapolated(answer_of(shorter, how), answer_of(longer, how), by);
}

std::vector<training::SlowdownFactors> StepRunner::slowdown() const {
  std::vector<training::SlowdownFactors> factors;
  for (const training::Unit& unit : prepared_.plan.units) factors.push_back(unit.slower);
  return factors;
}

void StepRunner::be_as_slow_as(const std::vector<training::SlowdownFactors>& slower) {
  if (slower.size() != prepared_.plan.units.size()) simulate_each_rank();
  if (slower.size() != prepared_.plan.units.size()) {
    throw std::logic_error("the slowdown is of other units");
  }
  for (std::size_t u = 0; u < slower.size(); ++u) prepared_.plan.units[u].slower = slower[u];
}

std::optional<Bottleneck> StepRunner::bottleneck_in(const StepAnswer& answer) const {
  return bottleneck_of(placement_, prepared_.placed, answer.path, answer.path_length);
}

bool StepRunner::varies() const { return placement_.job.variability.compute_sigma != 0.0; }

/// Whether traffic can be concurrent with passes.
bool StepRunner::hides_traffic() const {
  const StepPlan& plan = prepared_.plan;
  if (plan.stages() > 1) return true;
  if (plan.groups.empty()) return false;
  for (const training::ChunkPlan& chunk : plan.work.front().chunks) {
    for (const auto* segments : {&chunk.forward, &chunk.backward, &chunk.last_backward,
                                 &chunk.weights, &chunk.last_weights}) {
      if (goes_on_beside(*segments, plan.overlap)) return true;
    }
  }
  return false;
}

/// Hidden traffic of the shown unit in one iteration without jitter, with ranks that differ only by
/// jitter aggregated.
SimTime StepRunner::hidden_without_draws() {
  const Repetitions one{1, 1, false, false};
  const auto hidden_in = [](const StepRun& run) { return run.times.hidden[run.times.unit]; };
  const Aggregation aggregation = aggregation_without_jitter(placement_, settings_);
  if (aggregation == prepared_.units->aggregation) return hidden_in(run_once(one));
  return hidden_in(StepRunner(placement_, library_, prepared_with(aggregation), settings_,
                              fidelity_of(placement_, settings_))
                       .run_once(one));
}

PreparedTraining StepRunner::prepared_with(Aggregation aggregation) const {
  const auto units = std::make_shared<const JobUnits>(job_units(placement_, library_, aggregation));
  input::Diagnostics diagnostics;  // The job was prepared before, on the same machines.
  PreparedTraining prepared = prepare_training(placement_, library_, units, diagnostics);
  input::expect_no_errors(diagnostics);
  if (const auto kind = prepared_.placed.left_out()) prepared.placed.leave_out(*kind);
  return prepared;
}

/// Whether equivalent ranks wait for each other between the last pass and the optimizer: gradients
/// are reduced after all passes that take time.
bool StepRunner::may_vary_together() const {
  if (prepared_.units->equivalent.empty() || !prepared_.plan.overlap) return true;
  const std::vector<StageWork>& work = prepared_.plan.work;
  return std::all_of(work.begin(), work.end(), [](const StageWork& stage) {
    const auto& passes = stage.chunks.back().last_backward;
    const auto last = std::find_if(passes.rbegin(), passes.rend(), [](const StepSegment& pass) {
      return pass.compute > SimTime{0} || !pass.reduced.empty();
    });
    return last != passes.rend() && !last->reduced.empty();
  });
}

/// Whether no rank of equivalent ones waited for its own input after the first iteration: it was
/// there when they left the exchanges of the iteration before.
bool StepRunner::varied_together(const StepRun& run) const {
  const TaskGraph& graph = run.training.graph;
  const auto is_late = [&](const Edge& edge, const training::UnitStep& unit) {
    if (edge.after != unit.begin || edge.lag != 0) return false;
    if (!training::is_input(static_cast<Activity>(graph.category(edge.before)))) return false;
    for (std::uint64_t back = 0; back + 1 < run.timeline.iterations; ++back) {
      const TaskRecord* input = run.timeline.find(edge.before, back);
      const TaskRecord* left = run.timeline.find(unit.optimizer.begin, back + 1);
      if (input == nullptr || left == nullptr || input->end > left->ready) return true;
    }
    return false;
  };
  for (const EquivalentRanks& equivalent : prepared_.units->equivalent) {
    const training::UnitStep& unit = run.training.units[equivalent.others];
    for (const Edge& edge : graph.edges()) {
      if (is_late(edge, unit)) return false;
    }
  }
  return true;
}

/// Lists every rank as a unit, as slow as the unit that represented it.
void StepRunner::simulate_each_rank() {
  check_memory(placement_, settings_, Aggregation::kNone);
  const std::shared_ptr<const JobUnits> before = prepared_.units;
  const std::vector<training::SlowdownFactors> slower = slowdown();
  const std::vector<SimTime> slowed = prepared_.slowed_by_traffic;
  prepared_ = prepared_with(Aggregation::kNone);
  exchanger_.emplace(placement_, *prepared_.units, prepared_.placed, fidelity_);
  std::map<std::size_t, std::size_t> represented_by;  // by rank: its unit before
  for (std::size_t u = 0; u < before->units.size(); ++u) {
    represented_by[before->units[u].front()] = u;
  }
  for (const EquivalentRanks& equivalent : before->equivalent) {
    for (const std::size_t rank : equivalent.ranks) represented_by[rank] = equivalent.others;
  }
  for (std::size_t u = 0; u < prepared_.plan.units.size(); ++u) {
    const std::size_t unit = represented_by.at(prepared_.units->units[u].front());
    prepared_.plan.units[u].slower = slower[unit];
    prepared_.slowed_by_traffic[u] = slowed[unit];
  }
}

/// Slows passes down by a share of the time with concurrent traffic: backward passes if it is known
/// for the whole job, otherwise all passes of each unit. Returns whether any changes.
bool StepRunner::slow_down(const std::vector<SimTime>& hidden, double share) {
  StepPlan& plan = prepared_.plan;
  bool any = false;
  for (std::size_t u = 0; u < plan.units.size(); ++u) {
    training::SlowdownFactors& slower = plan.units[u].slower;
    const double lost = to_seconds(hidden.size() == 1 ? hidden.front() : hidden[u]) * share;
    const training::PassTimes before = training::passes_of(plan, u);
    const SimTime slowed =
        apart() ? before.backward
                : training::slowed(
                      training::passes_of(plan.work_of(u), plan.parallelism.micro_batches).all(),
                      slower.forward);
    if (lost <= 0 || slowed == SimTime{0}) continue;
    const double factor = 1 + lost / to_seconds(slowed);
    slower.backward *= factor;
    if (apart()) {
      prepared_.slowed_by_traffic[u] = training::passes_of(plan, u).backward - slowed;
    } else {
      slower.forward *= factor;
      prepared_.slowed_by_traffic[u] = training::stretched(slowed, factor) - slowed;
    }
    any = true;
  }
  return any;
}

/// GPU time of each exchange: its duration on unshared GPUs.
void StepRunner::add_exchange_work() {
  if (!prepared_.shared.any() || prepared_.plan.groups.empty()) return;
  const StepRun one = run_once({1, 1, false, false});
  std::vector<SimTime> work;
  for (const training::Traffic& traffic : one.training.traffic) {
    const TaskRecord& begin = one.timeline.task(traffic.tasks.begin);
    const bool one_task = traffic.tasks.begin == traffic.tasks.end;
    work.push_back(one.timeline.task(traffic.tasks.end).end - (one_task ? begin.ready : begin.end));
  }
  prepared_.plan.exchange_work = std::move(work);
}

/// Checks the limits before an iteration is built: each of its passes is at least one task.
void StepRunner::check_size_of(const StepPlan& plan) const {
  constexpr std::uint64_t kBytesPerTask = 250;  // see check_memory()
  std::uint64_t tasks = 0;
  for (std::size_t s = 0; s < plan.stages(); ++s) {
    for (const training::ChunkPlan& chunk : plan.work_of(s * plan.replicas).chunks) {
      tasks += chunk.forward.size() + chunk.backward.size() + chunk.weights.size();
    }
  }
  tasks *= plan.replicas * static_cast<std::uint64_t>(plan.parallelism.micro_batches);
  const auto& most = settings_.limits.max_events;
  if (most && tasks > *most) {
    throw LimitExceeded(fmt::format(
        "the scenario is too large: each of the {} passes of an iteration needs at least one "
        "event, and the limit is {} (--max-events)",
        tasks, *most));
  }
  if (settings_.memory_limit && tasks * kBytesPerTask > *settings_.memory_limit) {
    throw LimitExceeded(
        fmt::format("the scenario is too large: the {} passes of an iteration need about {} MB of "
                    "memory, and the limit is {} MB (--memory-limit)",
                    tasks, tasks * kBytesPerTask / 1'000'000, *settings_.memory_limit / 1'000'000));
  }
}

/// Simulates all iterations until a state repeats; with random differences as many as affordable.
/// With a barrier and without input each iteration starts in the same state, so one suffices.
RunOptions StepRunner::options_of(const training::TrainingGraph& training,
                                  const Repetitions& how) const {
  const TaskGraph& graph = training.graph;
  const std::uint64_t affordable = kTasksToDraw / graph.size();
  const std::size_t lag = graph.longest_lag();
  const bool fails = !placement_.job.faults.empty();
  RunOptions options;
  if (how.draws && varies()) {
    options.iterations =
        apart() ? std::min(how.epoch, std::clamp(affordable, std::uint64_t{1}, kMostDrawn))
                : std::clamp(affordable, std::uint64_t{2}, kMostDrawn);
    options.keep = options.iterations;
    options.vary_delay =
        RankDelays(placement_, *prepared_.units, training, how.seed, options.iterations);
  } else if (apart()) {
    options.iterations = fails ? how.epoch : std::max(how.epoch, kFewestIterations);
    options.keep = static_cast<std::size_t>(std::min<std::uint64_t>(lag + 2, options.iterations));
    if (settings_.find_repeat) options.most_iterations = kMostIterations;
  } else if (fails || !prepared_.plan.feeds.empty()) {
    options.iterations = fails ? how.epoch : std::max(how.epoch, kFewestIterations);
    options.keep =
        static_cast<std::size_t>(std::min<std::uint64_t>(2 * lag + 2, options.iterations));
    options.end_at_repeat = true;
    if (settings_.find_repeat && !fails) options.most_iterations = kMostShardedIterations;
  }
  if (how.time_sliced && prepared_.shared.any()) {
    options.slicing = time_slice_plan(training, prepared_.shared);
    options.iterations =
        time_sliced_iterations(prepared_.plan, prepared_.shared, affordable, how.quantiles);
    options.keep = options.iterations;
  }
  return options;
}

/// The plan with fewer micro-batches, and the input of these.
StepPlan StepRunner::plan_of(std::int64_t micro_batches) const {
  StepPlan shorter = prepared_.plan;
  shorter.parallelism.micro_batches = micro_batches;
  const Ratio share = Ratio(micro_batches) / Ratio(prepared_.plan.parallelism.micro_batches);
  for (training::UnitFeed& fed : shorter.feeds) {
    for (auto* flow : {&fed.feed.storage_read, &fed.feed.decode, &fed.feed.host_to_device}) {
      if (*flow) (*flow)->amount *= share;
    }
  }
  return shorter;
}

training::TrainingGraph StepRunner::part_of_step() {
  const training::Parallelism& p = prepared_.plan.parallelism;
  const auto rounds = rounds_to_run(p);
  const std::int64_t enough =
      rounds ? rounds->longer * static_cast<std::int64_t>(p.pipeline) : p.micro_batches;
  if (p.micro_batches <= enough) {
    check_size_of(prepared_.plan);
    return training::build_training_graph(prepared_.plan, *exchanger_);
  }
  return training::build_training_graph(plan_of(enough), *exchanger_);
}

StepRun StepRunner::run_once(std::int64_t micro_batches, const Repetitions& how) {
  std::optional<StepPlan> shorter;
  if (micro_batches != prepared_.plan.parallelism.micro_batches) shorter = plan_of(micro_batches);
  const StepPlan& plan = shorter ? *shorter : prepared_.plan;
  check_size_of(plan);
  StepRun run{training::build_training_graph(plan, *exchanger_), {}, {}, 0, 0};
  RunOptions options = options_of(run.training, how);
  const bool drawn = static_cast<bool>(options.vary_delay);
  const bool varies = drawn || !options.slicing.devices.empty();
  run.timeline = simulate_checked(run.training.graph, prepared_.placed.network(), settings_,
                                  std::move(options));
  run.iterations = run.timeline.iterations;
  if (!apart() && !varies && run.timeline.repeat.count == 0) {
    leave_out_end(run.timeline, run.training.graph.longest_lag());
  }
  run.times = training::read_step_times(run.training, run.timeline, varies);
  run.rank = prepared_.units->units[run.times.unit].front();
  for (const EquivalentRanks& equivalent : prepared_.units->equivalent) {
    if (!drawn || equivalent.slowest != run.times.unit) continue;
    run.rank = slowest_rank(placement_, equivalent, how.seed, run.iterations - 1);
  }
  return run;
}

/// Whether, by extrapolation, the input of all micro-batches may take longer than their passes.
bool StepRunner::input_may_wait(const StepRun& run, std::int64_t micro_batches) const {
  if (run.times.breakdown.data_wait > SimTime{0}) return true;
  SimTime longest{};
  const TaskGraph& graph = run.training.graph;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const auto task = static_cast<TaskId>(i);
    if (!training::is_input(static_cast<Activity>(graph.category(task)))) continue;
    const TaskRecord& record = run.timeline.task(task);
    longest = std::max(longest, record.end - record.ready);
  }
  const Ratio share = Ratio(micro_batches) / Ratio(prepared_.plan.parallelism.micro_batches);
  return to_seconds(longest) >=
         to_seconds(training::passes_of(prepared_.plan, run.times.unit).all()) * to_double(share);
}

/// Without a periodic state some iterations may be shorter than in the long run: those with input
/// fetched earlier.
bool StepRunner::needs_floor_of_resources(const StepAnswer& answer) const {
  return apart() && answer.repeat.count == 0 && placement_.job.faults.empty();
}

StepAnswer StepRunner::answer_of(const StepRun& run, const Repetitions& how) const {
  const TaskGraph& graph = run.training.graph;
  const Network& network = prepared_.placed.network();
  StepAnswer answer;
  answer.times = run.times;
  answer.rank = run.rank;
  answer.iterations = run.iterations;
  answer.repeat = run.timeline.repeat;
  answer.short_epoch = end_of_short_epoch(run, how.epoch);
  answer.floors = traffic_floors(placement_, prepared_.placed, graph, SimTime{0});
  if (prepared_.shared.any()) {
    answer.time_sliced_steps =
        time_sliced_steps(prepared_.plan, run.training, prepared_.shared, run.timeline);
  }
  const bool bounds = needs_floor_of_resources(answer);
  if (settings_.only_times && !bounds) return answer;
  answer.carried = carried_by(graph, network, [](TaskId) { return true; });
  if (settings_.only_times) return answer;
  answer.gradients = carried_by(graph, network, [&](TaskId task) {
    return graph.category(task) == static_cast<std::uint32_t>(Activity::kGradients);
  });
  if (const auto cores = busiest_cores(placement_, prepared_.placed, answer.carried)) {
    const auto share_of = [&](Activity activity) {
      const auto own = carried_by(graph, network, [&](TaskId task) {
        return graph.category(task) == static_cast<std::uint32_t>(activity);
      });
      return to_double(own[*cores] / answer.carried[*cores]);
    };
    answer.decoding_cores = share_of(Activity::kDecode);
    answer.storage_cores = share_of(Activity::kStorageRead);
  }
  answer.path =
      shares(run.times.critical_path, graph, run.times.steady_begin, run.times.steady_end);
  answer.path_length = run.times.steady_end - run.times.steady_begin;
  answer.events = run.timeline.events;
  answer.tasks = graph.size();
  answer.event_fingerprint = event_fingerprint(run.timeline);
  return answer;
}

}  // namespace vgsim::scenario
