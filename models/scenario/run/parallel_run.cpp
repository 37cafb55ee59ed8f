#include "models/scenario/run/parallel_run.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "models/collectives/collective.hpp"
#include "models/scenario/build/relaxed_job.hpp"
#include "models/scenario/build/split_preparation.hpp"
#include "models/scenario/build/training_preparation.hpp"
#include "models/scenario/read/library.hpp"
#include "models/scenario/run/group_exchanger.hpp"
#include "models/scenario/run/iteration_reader.hpp"
#include "models/scenario/run/repetitions.hpp"
#include "models/scenario/run/run.hpp"
#include "models/scenario/run/topology_drawing.hpp"
#include "models/training/compute_noise.hpp"
#include "models/training/split_times.hpp"
#include "sim/fingerprint.hpp"
#include "sim/random.hpp"

namespace vgsim::scenario {
namespace {

using collectives::PlacedNetwork;
using training::Activity;
using training::Axis;
using training::Exchange;
using training::SplitGraph;
using training::SplitTimes;

struct SplitRun {
  SplitGraph split;
  Timeline timeline;  ///< up to an iteration like all others but the first
  SplitTimes times;
  std::uint64_t iterations = 0;  ///< that were run
};

/// What runs tell of an iteration of all micro-batches.
struct Answer {
  SplitTimes times;
  std::vector<Ratio> carried;    ///< by resource
  std::vector<Ratio> gradients;  ///< of it
  std::vector<PathShare> path;   ///< of the critical path
  Floors floors;                 ///< whatever hides
  std::uint64_t iterations = 0;  ///< that were run
  std::uint64_t events = 0;
  std::uint64_t event_fingerprint = 0;
};

/// Numbers of micro-batches that tell of more of them, in rounds of all stages.
struct Rounds {
  std::int64_t shorter = 0;
  std::int64_t longer = 0;
};

/// When the first micro-batches have filled the pipeline, each round of them takes as long; and
/// when what each gathers or reduces has found its place behind that of the ones before. Where
/// rounds are single micro-batches, groups that share links may take several to find a rhythm.
/// Nothing where GPipe computes all backward passes, which reduce, after all the others.
std::optional<Rounds> rounds_to_run(const training::Parallelism& p) {
  if (p.pipeline == 1) return Rounds{4, 8};
  if (p.sharding < training::Sharding::kGradients) return Rounds{1, 2};
  if (p.schedule == training::Schedule::kGpipe) return std::nullopt;
  return Rounds{2, 3};
}

/// Leaves out the last iterations of a run that went on to its end: they fetch no input any more.
void leave_out_end(Timeline& timeline, std::uint64_t count) {
  if (count == 0 || count + 1 > timeline.earlier.size()) return;
  timeline.tasks = std::move(timeline.earlier[count - 1]);
  const auto end = timeline.earlier.begin() + static_cast<std::ptrdiff_t>(count);
  timeline.earlier.erase(timeline.earlier.begin(), end);
  timeline.iterations -= count;
}

/// A job on its links: as they are, or without those of one kind.
class ParallelRun {
 public:
  ParallelRun(const Placement& placement, const Library& library, PreparedSplit prepared,
              const RunSettings& settings)
      : placement_(placement),
        library_(library),
        prepared_(std::move(prepared)),
        settings_(settings),
        placed_(place_network(placement,
                              host_classes(placement, *prepared_.ranks, settings.use_symmetry))),
        job_(*placement.job.training) {
    for (std::size_t s = 0; s < prepared_.plan.stages.size(); ++s) {
      alone_.push_back(passes_of(s * prepared_.plan.replicas));
    }
  }

  void leave_out(topology::LinkKind kind) { placed_.leave_out(kind); }

  /// Runs it, with its passes as slow as the traffic beside them makes them. Of very many
  /// micro-batches some are run: once the pipeline is full, each round of them takes as long. Where
  /// an iteration is recorded, all are.
  Answer run() {
    connect();
    const double share = slowed_by_traffic(placement_, library_);
    const auto known = settings_.hidden_traffic.find(placement_.layout->name);
    if (share > 0 && known != settings_.hidden_traffic.end() &&
        known->second.size() == prepared_.ranks->units.size()) {
      slow_down(known->second, share);
    } else if (share > 0) {
      Answer even = run_all(false);
      hidden_ = even.times.hidden;
      if (!slow_down(hidden_, share) && !varies() && !settings_.record) return even;
    }
    if (!settings_.record) return run_all(true);
    recorded_ = run_once(job_.parallelism.micro_batches, true);
    return answer_of(*recorded_);
  }

  /// The same with passes as slow as those of another run.
  Answer run_as_slow_as(const ParallelRun& other) {
    connect();
    prepared_.plan.slower = other.prepared_.plan.slower;
    return run_all(true);
  }

  void fill(const Answer& answer, LayoutResult& result) {
    fill_times(answer, result.training.emplace());
    if (settings_.only_times) return;
    fill_traffic(answer, result);
    result.bottleneck = bottleneck_in(answer);
    result.hidden_traffic = hidden_;
    result.events = answer.events;
    result.event_fingerprint = fingerprint_text(answer.event_fingerprint);
    const TrainingResult& t = *result.training;
    Fingerprint print;
    for (const SimTime time : {t.iteration, t.compute, t.exposed_communication, t.optimizer}) {
      print.add(static_cast<std::uint64_t>(time.count()));
    }
    result.fingerprint = fingerprint_text(print.value());
    if (!recorded_) return;
    result.record = read_iteration({placement_, placed_, *prepared_.ranks, recorded_->split,
                                    recorded_->timeline, recorded_->times});
    const RanIteration ran{recorded_->split.graph, recorded_->timeline,
                           recorded_->times.steady_begin, recorded_->times.steady_end};
    result.picture = draw_topology(placement_, placed_, answer.carried, t.iteration, &ran);
  }

  [[nodiscard]] std::optional<Bottleneck> bottleneck_in(const Answer& answer) const {
    return bottleneck_of(placement_, placed_, answer.path, answer.times.steady);
  }

  [[nodiscard]] const PlacedNetwork& placed() const { return placed_; }

 private:
  /// How groups exchange data, the same in all runs, and how the units of the first stage get their
  /// input: the first rank of each replica reads for all of it.
  void connect() {
    exchanger_.emplace(placement_, *prepared_.ranks, placed_);
    input::Diagnostics none;  // The job was prepared before, on the same machines.
    std::vector<RankClass> readers;
    for (const auto& [rank, unit] : prepared_.ranks->readers) {
      readers.push_back(rank_class(placement_, rank));
    }
    std::vector<training::InputFeed> feeds = feeds_of(placement_, library_, readers, placed_, none);
    prepared_.plan.feeds.clear();
    for (std::size_t i = 0; i < feeds.size(); ++i) {
      if (feeds[i].storage_read || feeds[i].decode || feeds[i].host_to_device) {
        prepared_.plan.feeds.push_back({prepared_.ranks->readers[i].second, std::move(feeds[i])});
      }
    }
  }

  [[nodiscard]] bool varies() const { return placement_.job.variability.compute_sigma != 0.0; }

  /// Draws each rank's computing time anew in each iteration; a unit is as slow as its slowest.
  [[nodiscard]] std::function<SimTime(TaskId, std::uint64_t, SimTime)> jitter(
      const TaskGraph& graph) const {
    const double sigma = placement_.job.variability.compute_sigma;
    if (sigma == 0.0) return {};
    const std::uint64_t seed = settings_.seed.value_or(placement_.job.variability.seed);
    std::vector<std::vector<std::uint64_t>> streams;
    for (const auto& unit : prepared_.ranks->units) {
      auto& own = streams.emplace_back();
      for (const std::size_t rank : unit) {
        own.push_back(seed_of(rank_name(placement_, rank_class(placement_, rank)), seed));
      }
    }
    return [sigma, streams = std::move(streams), &graph](TaskId task, std::uint64_t iteration,
                                                         SimTime delay) {
      const auto activity = static_cast<Activity>(graph.category(task));
      if (delay == SimTime{0} ||
          (activity != Activity::kForward && activity != Activity::kBackward &&
           activity != Activity::kOptimizer)) {
        return delay;
      }
      double slowest = 0;
      for (const std::uint64_t stream : streams[graph.subject(task)]) {
        slowest = std::max(slowest, log_normal_factor(stream, iteration, sigma));
      }
      return training::stretched(delay, slowest);
    };
  }

  /// All micro-batches, or as many as tell of the others.
  Answer run_all(bool draws) {
    const training::Parallelism& p = job_.parallelism;
    const auto round = static_cast<std::int64_t>(p.pipeline);
    const auto rounds = rounds_to_run(p);
    const std::int64_t more = rounds ? p.micro_batches / round - rounds->longer : 0;
    const bool shortens = more > 1 && settings_.find_repeat && !placement_.job.is_uneven();
    if (!shortens) return answer_of(run_once(p.micro_batches, draws));
    const training::Prolongation by{more, rounds->longer - rounds->shorter};
    const std::int64_t most = p.micro_batches - more * round;
    const SplitRun longer = run_once(most, draws);
    if (input_may_wait(longer, most)) return answer_of(run_once(p.micro_batches, draws));
    SplitRun shorter = run_once(most - by.between * round, draws);
    shorter.times =
        training::read_split_times(shorter.split, shorter.timeline, false, longer.times.unit);
    return prolonged(answer_of(shorter), answer_of(longer), by);
  }

  /// Whether the input of all micro-batches may take longer than they do, as so many tell.
  [[nodiscard]] bool input_may_wait(const SplitRun& run, std::int64_t micro_batches) const {
    if (run.times.breakdown.data_wait > SimTime{0}) return true;
    SimTime longest{};
    for (std::size_t i = 0; i < run.split.graph.size(); ++i) {
      const auto task = static_cast<TaskId>(i);
      if (!training::is_input(static_cast<Activity>(run.split.graph.category(task)))) continue;
      const TaskRecord& record = run.timeline.task(task);
      longest = std::max(longest, record.end - record.ready);
    }
    const Ratio share = Ratio(micro_batches) / Ratio(job_.parallelism.micro_batches);
    return to_seconds(longest) >= to_seconds(passes_of(run.times.unit)) * to_double(share);
  }

  [[nodiscard]] Answer answer_of(const SplitRun& run) const {
    const TaskGraph& graph = run.split.graph;
    const Network& network = placed_.network();
    Answer answer;
    answer.times = run.times;
    answer.iterations = run.iterations;
    answer.floors = traffic_floors(placement_, placed_, graph, SimTime{0});
    if (settings_.only_times) return answer;
    answer.carried = carried_by(graph, network, [](TaskId) { return true; });
    answer.gradients = carried_by(graph, network, [&](TaskId task) {
      return graph.category(task) == static_cast<std::uint32_t>(Activity::kGradients);
    });
    answer.path =
        shares(run.times.critical_path, graph, run.times.steady_begin, run.times.steady_end);
    answer.events = run.timeline.events;
    answer.event_fingerprint = event_fingerprint(run.timeline);
    return answer;
  }

  static Answer prolonged(const Answer& shorter, Answer longer, const training::Prolongation& by) {
    longer.times = training::prolonged(shorter.times, longer.times, by);
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
    return longer;
  }

  /// Before an iteration of so many micro-batches is built: each of its passes is a task or more.
  void check_size_of(const training::SplitPlan& plan) const {
    constexpr std::uint64_t kBytesPerTask = 250;  // see check_memory()
    std::uint64_t tasks = 0;
    for (const training::StagePlan& stage : plan.stages) {
      for (const training::ChunkPlan& chunk : stage.chunks) {
        tasks += chunk.forward.size() + chunk.backward.size() + chunk.weights.size();
      }
    }
    tasks *= plan.replicas * static_cast<std::uint64_t>(plan.parallelism.micro_batches);
    const auto& most = settings_.limits.max_events;
    if (most && tasks > *most) {
      throw LimitExceeded(
          fmt::format("the scenario is too big: each of the {} passes of an iteration is an event "
                      "or more, and the limit is {} (--max-events)",
                      tasks, *most));
    }
    if (settings_.memory_limit && tasks * kBytesPerTask > *settings_.memory_limit) {
      throw LimitExceeded(fmt::format(
          "the scenario is too big: the {} passes of an iteration need about {} MB of "
          "memory, and the limit is {} MB (--memory-limit)",
          tasks, tasks * kBytesPerTask / 1'000'000, *settings_.memory_limit / 1'000'000));
    }
  }

  SplitRun run_once(std::int64_t micro_batches, bool draws) {
    training::SplitPlan plan = prepared_.plan;
    plan.parallelism.micro_batches = micro_batches;
    const Ratio share = Ratio(micro_batches) / Ratio(job_.parallelism.micro_batches);
    for (training::UnitFeed& fed : plan.feeds) {
      for (auto* flow : {&fed.feed.storage_read, &fed.feed.decode, &fed.feed.host_to_device}) {
        if (*flow) (*flow)->amount *= share;
      }
    }
    check_size_of(plan);
    SplitRun run{training::build_split_graph(plan, *exchanger_), {}, {}, 0};
    const TaskGraph& graph = run.split.graph;
    const auto epoch = static_cast<std::uint64_t>(job_.iterations());
    const bool fails = !placement_.job.faults.empty();
    RunOptions options;
    if (draws && varies()) options.vary_delay = jitter(graph);
    if (options.vary_delay) {
      options.iterations = std::clamp<std::uint64_t>(kTasksToDraw / graph.size(), 2, kMostDrawn);
      options.keep = options.iterations;
    } else if (fails || !prepared_.plan.feeds.empty()) {
      options.iterations = fails ? epoch : std::max(epoch, kFewestIterations);
      if (settings_.find_repeat && !fails) options.most_iterations = kMostSplitIterations;
      options.end_at_repeat = true;
      options.keep =
          std::min<std::size_t>(2 * std::size_t{graph.longest_lag()} + 2, options.iterations);
    }
    const bool varied = static_cast<bool>(options.vary_delay);
    run.timeline = simulate_checked(graph, placed_.network(), settings_, std::move(options));
    run.iterations = run.timeline.iterations;
    if (!varied && run.timeline.repeat.count == 0) {
      leave_out_end(run.timeline, graph.longest_lag());
    }
    run.times = training::read_split_times(run.split, run.timeline, varied);
    return run;
  }

  /// Passes take longer by a share of the time that traffic is on its way beside them. Whether any
  /// does.
  bool slow_down(const std::vector<SimTime>& hidden, double share) {
    std::vector<double> factors(hidden.size(), 1.0);
    bool any = false;
    for (std::size_t u = 0; u < factors.size(); ++u) {
      const SimTime computes = passes_of(u);
      const double lost = to_seconds(hidden[u]) * share;
      if (lost <= 0 || computes == SimTime{0}) continue;
      factors[u] = 1 + lost / to_seconds(computes);
      prepared_.slowed_by_traffic[u] = training::stretched(computes, factors[u]) - computes;
      any = true;
    }
    if (!any) return false;
    std::vector<double>& slower = prepared_.plan.slower;
    if (slower.empty()) slower.assign(factors.size(), 1.0);
    for (std::size_t u = 0; u < factors.size(); ++u) slower[u] *= factors[u];
    return true;
  }

  /// In an iteration, as far as nothing slows them down.
  [[nodiscard]] SimTime passes_of(std::size_t unit) const {
    const std::int64_t before = job_.parallelism.micro_batches - 1;
    SimTime sum{};
    const auto add = [&](const std::vector<training::Piece>& pieces, std::int64_t times) {
      for (const training::Piece& piece : pieces) sum += piece.compute * times;
    };
    for (const training::ChunkPlan& chunk :
         prepared_.plan.stages[unit / prepared_.plan.replicas].chunks) {
      add(chunk.forward, before + 1);
      add(chunk.backward, before);
      add(chunk.last_backward, 1);
      add(chunk.weights, before);
      add(chunk.last_weights, 1);
    }
    const std::vector<double>& slower = prepared_.plan.slower;
    return slower.empty() ? sum : training::stretched(sum, slower[unit]);
  }

  void fill_times(const Answer& answer, TrainingResult& t) const {
    const training::UnitBreakdown& parts = answer.times.breakdown;
    const std::size_t unit = answer.times.unit;
    const std::size_t stage = unit / prepared_.plan.replicas;
    t.network = job_.network->name;
    t.tokens = job_.tokens;
    t.global_batch = job_.parallelism.global_batch();
    t.first_iteration = answer.times.first;
    t.iteration = parts.total;
    t.iterations_run = answer.iterations;
    t.kernels_slowed = std::min(prepared_.slowed_by_traffic[unit], parts.compute);
    t.compute = parts.compute - t.kernels_slowed;
    t.data_wait = parts.data_wait;
    t.optimizer = parts.optimizer;
    const bool staged = job_.parallelism.pipeline > 1;
    t.pipeline_wait = staged ? parts.waiting : SimTime{0};
    for (const auto& [axis, time] : parts.exposed) t.communication[to_string(axis)] += time;
    // Where there are no stages, what is waited for is the traffic of slower ranks.
    t.communication[to_string(Axis::kData)] +=
        t.kernels_slowed + (staged ? SimTime{0} : parts.waiting);
    for (const auto& [axis, time] : t.communication) t.exposed_communication += time;
    std::erase_if(t.communication, [](const auto& part) { return part.second == SimTime{0}; });
    t.floors = answer.floors;
    t.floors.communication =
        std::max(t.floors.communication - answer.times.hidden[unit] - t.pipeline_wait, SimTime{0});
    t.losses = prepared_.losses[stage];
    t.takes_turns = takes_turns(placement_);
    t.breakdown_rank =
        rank_name(placement_, rank_class(placement_, prepared_.ranks->units[unit].front()));
    t.iterations_per_epoch = job_.iterations();
    t.epochs = job_.epochs;
    t.samples = job_.samples(t.iterations_per_epoch);
    fill_rates(t);
    t.scaling_efficiency = efficiency(t.iteration);
  }

  void fill_rates(TrainingResult& t) const {
    const training::Parallelism& p = job_.parallelism;
    const double seconds = to_seconds(t.iteration);
    t.epoch_s =
        to_seconds(t.first_iteration) + seconds * static_cast<double>(t.iterations_per_epoch - 1);
    t.training_s =
        t.epoch_s + seconds * (t.iterations() - static_cast<double>(t.iterations_per_epoch));
    t.samples_per_s = seconds > 0 ? static_cast<double>(t.global_batch) / seconds : 0.0;
    const auto forward = static_cast<double>(job_.network->forward(job_.tokens).count());
    const auto batch = static_cast<double>(t.global_batch);
    const auto gpus = static_cast<double>(p.ranks());
    const auto passes = static_cast<double>(job_.network->operations_of_step());
    t.model_flops_per_gpu = seconds > 0 ? passes * forward * batch / seconds / gpus : 0.0;
    const bool again = p.recompute == training::Recompute::kFull;
    t.hardware_flops_per_gpu = t.model_flops_per_gpu * (again ? (passes + 1) / passes : 1.0);
  }

  /// What the passes and optimizers of all stages would take on as many GPUs that never wait, over
  /// what they take.
  [[nodiscard]] std::optional<double> efficiency(SimTime iteration) const {
    if (iteration == SimTime{0}) return std::nullopt;
    SimTime all{};
    for (std::size_t s = 0; s < prepared_.plan.stages.size(); ++s) {
      all += alone_[s] + prepared_.plan.stages[s].optimizer;
    }
    const auto stages = static_cast<double>(prepared_.plan.stages.size());
    // Ranks that vary may have drawn shorter passes than the mean.
    return std::min(1.0, to_seconds(all) / stages / to_seconds(iteration));
  }

  void fill_traffic(const Answer& answer, LayoutResult& result) const {
    TrainingResult& t = *result.training;
    result.links = links_of(answer.carried, t.iteration);
    if (t.iteration > SimTime{0}) {
      t.cores_busy = cores_busy(placement_, placed_, answer.carried, t.iteration);
    }
    std::map<std::string, Ratio> by_kind;
    for (std::uint32_t i = 0; i < answer.gradients.size(); ++i) {
      if (answer.gradients[i] == 0) continue;
      const auto copies = static_cast<std::int64_t>(placed_.link(ResourceId{i}).copies);
      by_kind[topology::to_string(placed_.kind(ResourceId{i}))] += answer.gradients[i] * copies;
    }
    for (const auto& [kind, bytes] : by_kind) t.gradient_bytes_by_kind[kind] = to_double(bytes);
    const training::StagePlan& stage =
        prepared_.plan.stages[answer.times.unit / prepared_.plan.replicas];
    add_sent(stage, t);
    for (const training::LayerGroup& layer : job_.network->layers) {
      t.gradient_bytes += training::held_by_rank(layer, job_.parallelism).all() *
                          job_.state.gradient / static_cast<double>(job_.parallelism.pipeline);
    }
  }

  /// Of the hosts of units that were followed: for each of them there are as many others.
  [[nodiscard]] std::vector<LinkUse> links_of(std::vector<Ratio> carried, SimTime span) const {
    const std::vector<bool> known = hosts_of_units(placement_, *prepared_.ranks);
    for (std::uint32_t i = 0; i < carried.size(); ++i) {
      const collectives::PlacedLink& link = placed_.link(ResourceId{i});
      if (link.built && !known[link.host]) carried[i] = 0;
    }
    std::vector<LinkUse> uses = link_uses(placement_, placed_, carried, span);
    const auto all = static_cast<std::size_t>(std::count(known.begin(), known.end(), true));
    const std::size_t copies = hosts_of_job() / std::max<std::size_t>(all, 1);
    for (LinkUse& use : uses) {
      if (use.kind != topology::to_string(topology::LinkKind::kFabric)) use.links *= copies;
    }
    return uses;
  }

  [[nodiscard]] std::size_t hosts_of_job() const {
    std::set<std::size_t> hosts;
    for (const collectives::PlacedVm& vm : placement_.vms()) hosts.insert(vm.host);
    return hosts.size();
  }

  /// What a rank of a stage sends in an iteration.
  void add_sent(const training::StagePlan& stage, TrainingResult& t) const {
    const training::Parallelism& p = job_.parallelism;
    const auto add = [&](const std::vector<Exchange>& exchanges, std::int64_t times) {
      for (const Exchange& exchange : exchanges) {
        const double sent = training::sent_by_rank(exchange, p) * static_cast<double>(times);
        if (sent > 0) t.sent_bytes[to_string(exchange.axis)] += sent;
      }
    };
    const auto pass = [&](const std::vector<training::Piece>& pieces, std::int64_t times) {
      for (const training::Piece& piece : pieces) {
        for (const auto* exchanges : {&piece.gathered, &piece.exchanges, &piece.reduced}) {
          add(*exchanges, times);
        }
        for (const training::Beside& beside : piece.beside) add(beside.exchanges, times);
      }
    };
    for (const training::ChunkPlan& chunk : stage.chunks) {
      pass(chunk.forward, p.micro_batches);
      pass(chunk.backward, p.micro_batches - 1);
      pass(chunk.last_backward, 1);
      pass(chunk.weights, p.micro_batches - 1);
      pass(chunk.last_weights, 1);
    }
    add(stage.gathered_after, 1);
  }

  const Placement& placement_;
  const Library& library_;
  PreparedSplit prepared_;
  const RunSettings& settings_;
  PlacedNetwork placed_;
  const training::TrainingJob& job_;
  std::optional<GroupExchanger> exchanger_;
  std::vector<SimTime> hidden_;       ///< traffic, by unit; empty where no run was asked for it
  std::optional<SplitRun> recorded_;  ///< of all micro-batches
  std::vector<SimTime> alone_;        ///< by stage: its passes, without traffic beside them
};

/// What holds a job back that has no link of a kind to wait for.
NextLimit limit_without(topology::LinkKind kind, Choices choices, const PreparedLayout& layout,
                        const ParallelRun& with, const RunSettings& settings) {
  const Placement& placement = layout.placement;
  const Library& library = *layout.library.library;
  const Placement relaxed = relaxed_placement(placement, library, kind, choices);
  const bool alike = settings.use_symmetry && layout.gpu_kinds.size() == 1;
  const Shared<SplitRanks> ranks =
      choices == Choices::kKept
          ? layout.split->ranks
          : std::make_shared<const SplitRanks>(split_ranks(relaxed, library, alike));
  ParallelRun job(relaxed, library, prepare_split(relaxed, library, ranks, layout.gpu_kinds),
                  settings);
  job.leave_out(kind);
  const Answer answer = job.run_as_slow_as(with);
  const training::UnitBreakdown& parts = answer.times.breakdown;
  const double all = to_seconds(std::max(answer.times.steady, SimTime{1}));
  return {topology::to_string(kind), answer.times.steady, job.bottleneck_in(answer),
          to_seconds(parts.compute + parts.optimizer) / all};
}

}  // namespace

/// The step is built once and run; of the link that holds it back another run tells what would come
/// next. A bottleneck is a link on the critical path; where there is none, the busiest is shown.
void run_parallel(const PreparedLayout& prepared, const RunSettings& settings,
                  LayoutResult& result) {
  const Library& library = *prepared.library.library;
  ParallelRun job(prepared.placement, library, *prepared.split, settings);
  job.fill(job.run(), result);
  if (settings.only_times) return;
  if (!result.bottleneck) {
    if (result.links.empty()) return;
    result.bottleneck =
        Bottleneck{result.links.front().resource, result.links.front().kind, 0.0, {}};
    return;
  }
  if (!settings.next_limit) return;
  const topology::LinkKind kind = link_kind_called(job.placed(), result.bottleneck->kind);
  NextLimit next = limit_without(kind, nccl_reads(kind) ? Choices::kAnew : Choices::kKept, prepared,
                                 job, settings);
  if (nccl_reads(kind) && next.iteration > result.training->iteration) {
    next = limit_without(kind, Choices::kKept, prepared, job, settings);
  }
  result.training->next = std::move(next);
}

}  // namespace vgsim::scenario
