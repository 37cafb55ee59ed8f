#include "models/scenario/run/jobs_run.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "models/scenario/run/job_mix.hpp"
#include "models/scenario/run/repetitions.hpp"
#include "models/scenario/run/run.hpp"
#include "models/scenario/run/same_step.hpp"
#include "models/scenario/run/step_runner.hpp"
#include "models/scenario/run/training_figures.hpp"
#include "topology/graph/device_kinds.hpp"

namespace vgsim::scenario {
namespace {

/// The indices of jobs that run at the same time.
using Running = std::vector<std::size_t>;

std::set<std::size_t> hosts_of(const PreparedLayout& job) {
  std::set<std::size_t> hosts;
  for (const JobMachine& each : job.placement.job.machines) {
    hosts.insert(job.placement.cluster->machines[each.machine].host);
  }
  return hosts;
}

/// One job, lowered so that it can share its hosts and the fabric with others.
class MixedJob {
 public:
  /// `before`: jobs that may have the same step.
  MixedJob(const PreparedLayout& layout, const RunSettings& settings, bool shares_hosts,
           const std::vector<std::unique_ptr<MixedJob>>& before)
      : settings_(settings), placement_(layout.placement) {
    settings_.record = false;
    const Library& library = *layout.library.library;
    std::optional<PreparedTraining> own;
    if (shares_hosts || placement_.exchange != nullptr) {
      placement_.exchange = nullptr;
      if (shares_hosts) settings_.use_symmetry = false;
      input::Diagnostics diagnostics;  // the job was prepared before, on the same machines
      const auto units = std::make_shared<const JobUnits>(
          job_units(placement_, library, aggregation_of_units(placement_, settings_)));
      own = prepare_training(placement_, library, units, diagnostics);
      input::expect_no_errors(diagnostics);
    } else {
      own = *layout.training;
    }
    runner_.emplace(placement_, library, std::move(*own), settings_, collectives::Fidelity::kFluid);
    Repetitions how = repetitions_of(placement_, settings_);
    how.draws = how.time_sliced = false;
    const training::TrainingGraph step = runner_->part_of_step();
    twin_ = twin_among(before, step.graph);
    if (twin_ != nullptr) {
      alone_ = twin_->alone_;
      runner_->be_as_slow_as(twin_->runner_->slowdown());
    } else {
      unslowed_ = SimulatedStep{step.graph, runner_->prepared().placed.network()};
      alone_ = runner_->run(how);
    }
    epoch_s_ = epoch_seconds(*runner_, alone_, how.epoch);
    graph_.emplace(runner_->part_of_step());
    step_.placed = &runner_->prepared().placed;
    step_.graph = &graph_->graph;
    const training::StepPlan& plan = runner_->prepared().plan;
    if (graph_->barrier) {
      step_.ends = {*graph_->barrier};
    } else {
      for (const training::UnitStep& unit : graph_->units) step_.ends.push_back(unit.end);
    }
    step_.warm_up = plan.feeds.empty() ? 1 : static_cast<std::size_t>(plan.prefetched_batches) + 2;
    step_.alone = alone_.times.steady;
    step_.start = layout.placement.layout->job->start;
  }
  MixedJob(const MixedJob&) = delete;
  MixedJob& operator=(const MixedJob&) = delete;

  [[nodiscard]] const JobStep& step() const { return step_; }
  /// An earlier job with the same step over its own links; null if none.
  [[nodiscard]] const MixedJob* twin() const { return twin_; }
  [[nodiscard]] SimTime iteration() const { return alone_.times.steady; }
  [[nodiscard]] double epoch_s() const { return epoch_s_; }
  /// Share of an iteration of the job alone in which its GPUs compute.
  [[nodiscard]] double busy_share() const {
    const training::Breakdown& parts = alone_.times.breakdown;
    const double all = to_seconds(alone_.times.steady);
    return all > 0 ? to_seconds(parts.compute + parts.optimizer) / all : 0.0;
  }
  /// Whether each iteration of the job alone takes the same time, and all of it is in the step.
  [[nodiscard]] bool is_even() const {
    const training::StepPlan& plan = runner_->prepared().plan;
    return plan.feeds.empty() && !placement_.job.is_uneven() && plan.parallelism.micro_batches == 1;
  }
  [[nodiscard]] const Placement& placement() const { return placement_; }
  [[nodiscard]] double training_s() const {
    return epoch_s_ * static_cast<double>(placement_.job.training->epochs);
  }
  [[nodiscard]] std::string name_of(ResourceId id) const {
    return link_name(placement_, runner_->prepared().placed, id);
  }

 private:
  [[nodiscard]] const MixedJob* twin_among(const std::vector<std::unique_ptr<MixedJob>>& before,
                                           const TaskGraph& graph) const {
    for (const auto& other : before) {
      if (!other->unslowed_) continue;
      const bool same_run =
          other->is_even() == is_even() &&
          other->placement_.job.training->iterations() == placement_.job.training->iterations();
      if (same_run &&
          does_the_same(*other->unslowed_, graph, runner_->prepared().placed.network())) {
        return other.get();
      }
    }
    return nullptr;
  }

  RunSettings settings_;
  Placement placement_;
  std::optional<StepRunner> runner_;
  std::optional<training::TrainingGraph> graph_;
  const MixedJob* twin_ = nullptr;
  std::optional<SimulatedStep> unslowed_;  ///< unless it has a twin
  StepAnswer alone_;
  double epoch_s_ = 0;
  JobStep step_;
};

/// Iteration times of concurrent jobs.
class Contention {
 public:
  Contention(const PreparedLayout& layout, const RunSettings& settings) : settings_(settings) {
    std::vector<const PreparedLayout*> layouts{&layout};
    for (const PreparedLayout& other : layout.other_jobs) layouts.push_back(&other);
    std::map<std::size_t, std::size_t> users;
    for (const PreparedLayout* each : layouts) {
      for (const std::size_t host : hosts_of(*each)) ++users[host];
    }
    for (const PreparedLayout* each : layouts) {
      const std::set<std::size_t> hosts = hosts_of(*each);
      const bool shares = std::any_of(hosts.begin(), hosts.end(),
                                      [&](std::size_t host) { return users[host] > 1; });
      jobs_.push_back(std::make_unique<MixedJob>(*each, settings, shares, jobs_));
    }
  }

  [[nodiscard]] std::size_t size() const { return jobs_.size(); }
  [[nodiscard]] const MixedJob& job(std::size_t j) const { return *jobs_[j]; }

  [[nodiscard]] Running all() const {
    Running all(jobs_.size());
    for (std::size_t j = 0; j < all.size(); ++j) all[j] = j;
    return all;
  }

  /// By position in `running`: the time of an iteration relative to that of the job alone.
  const std::vector<double>& slowdowns(const Running& running) {
    const auto [it, is_new] = known_.try_emplace(running);
    if (is_new) it->second = relative(running, {});
    return it->second;
  }

  /// The same where no job shares resources of a kind.
  [[nodiscard]] std::vector<double> slowdowns_without(topology::LinkKind kind) {
    return relative(all(), {kind});
  }

  /// Events and tasks of all mixes that were run.
  [[nodiscard]] std::uint64_t events() const { return events_; }

  [[nodiscard]] std::set<topology::LinkKind> shared_kinds() { return all_jobs().shared_kinds(); }

  /// A resource of that kind that the job shares; empty if none.
  [[nodiscard]] std::string shared_resource(std::size_t job, topology::LinkKind kind) {
    const auto id = all_jobs().shared_resource(job, kind);
    return id ? jobs_[job]->name_of(*id) : std::string();
  }

 private:
  const JobMix& all_jobs() {
    if (!all_jobs_) all_jobs_ = mix(all(), {});
    return *all_jobs_;
  }

  [[nodiscard]] double alone_seconds(std::size_t job) {
    const MixedJob& one = *jobs_[job];
    if (one.is_even() && one.iteration() > SimTime{0}) return to_seconds(one.iteration());
    for (std::size_t j = 0; j < job; ++j) {
      if (one.twin() != nullptr && jobs_[j].get() == one.twin()) return alone_[j];
    }
    return to_seconds(run(mix({job}, {})).front());
  }

  std::vector<SimTime> run(const JobMix& mix) {
    MixRun done = mix.run(settings_.limits);
    events_ += done.events + mix.tasks();
    return std::move(done.iterations);
  }

  [[nodiscard]] JobMix mix(const Running& running, std::set<topology::LinkKind> apart) const {
    JobMix mix(std::move(apart));
    for (const std::size_t j : running) mix.add(jobs_[j]->step());
    return mix;
  }

  [[nodiscard]] std::vector<double> relative(const Running& running,
                                             std::set<topology::LinkKind> apart) {
    if (alone_.empty()) {
      for (std::size_t j = 0; j < jobs_.size(); ++j) {
        alone_.push_back(alone_seconds(j));
      }
    }
    if (running.size() == 1) return {1.0};
    const bool is_whole = apart.empty() && running.size() == jobs_.size();
    const std::vector<SimTime> times =
        is_whole ? run(all_jobs()) : run(mix(running, std::move(apart)));
    std::vector<double> result;
    for (std::size_t i = 0; i < running.size(); ++i) {
      const double alone = alone_[running[i]];
      result.push_back(alone > 0 ? std::max(1.0, to_seconds(times[i]) / alone) : 1.0);
    }
    return result;
  }

  const RunSettings& settings_;
  std::vector<std::unique_ptr<MixedJob>> jobs_;
  std::optional<JobMix> all_jobs_;
  std::uint64_t events_ = 0;
  std::vector<double> alone_;  ///< by job, in seconds, in a separate mix
  std::map<Running, std::vector<double>> known_;
};

/// When a job has ended its first epoch and its training, from its start.
struct Ends {
  double epoch_s = 0;
  double training_s = 0;
};

/// Jobs begin at their starts and leave when they have done all epochs. Between two such events
/// each runs at the pace that it has beside the others.
std::vector<Ends> follow(Contention& jobs) {
  const std::size_t n = jobs.size();
  std::vector<Ends> ends(n);
  std::vector<double> done(n, 0.0);  // in seconds of the job alone
  double now = 0;
  const auto start = [&](std::size_t j) { return to_seconds(jobs.job(j).step().start); };
  for (;;) {
    Running running;
    double next = -1;
    for (std::size_t j = 0; j < n; ++j) {
      if (start(j) > now) {
        if (next < 0 || start(j) < next) next = start(j);
      } else if (done[j] < jobs.job(j).training_s()) {
        running.push_back(j);
      }
    }
    if (running.empty() && next < 0) return ends;
    if (running.empty()) {
      now = next;
      continue;
    }
    const std::vector<double>& slower = jobs.slowdowns(running);
    double length = next < 0 ? -1 : next - now;
    for (std::size_t i = 0; i < running.size(); ++i) {
      const MixedJob& job = jobs.job(running[i]);
      const double left = (job.training_s() - done[running[i]]) * slower[i];
      if (length < 0 || left < length) length = left;
    }
    for (std::size_t i = 0; i < running.size(); ++i) {
      const std::size_t j = running[i];
      const MixedJob& job = jobs.job(j);
      const double more = length / slower[i];
      if (done[j] < job.epoch_s() && done[j] + more >= job.epoch_s() * (1 - 1e-12)) {
        ends[j].epoch_s = now + (job.epoch_s() - done[j]) * slower[i] - start(j);
      }
      done[j] += more;
      if (done[j] >= job.training_s() * (1 - 1e-12)) {
        done[j] = job.training_s();
        ends[j].training_s = now + length - start(j);
      }
    }
    now += length;
  }
}

std::vector<Ends> all_the_time(const Contention& jobs, const std::vector<double>& slower) {
  std::vector<Ends> ends;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    ends.push_back({jobs.job(j).epoch_s() * slower[j], jobs.job(j).training_s() * slower[j]});
  }
  return ends;
}

SimTime longer(SimTime time, double factor) {
  return SimTime{static_cast<std::int64_t>(static_cast<double>(time.count()) * factor + 0.5)};
}

/// What each job loses to each kind of shared resource, and to each other job.
void find_causes(Contention& jobs, const std::vector<double>& slower,
                 std::vector<JobResult>& results) {
  for (const topology::LinkKind kind : jobs.shared_kinds()) {
    const std::vector<double> without = jobs.slowdowns_without(kind);
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      const double lost = slower[j] - without[j];
      if (lost < 0.0005) continue;
      results[j].by_resource.push_back(
          {topology::to_string(kind), jobs.shared_resource(j, kind), lost});
    }
  }
  for (std::size_t other = 0; other < jobs.size() && jobs.size() <= kMostFollowedJobs; ++other) {
    Running rest = jobs.all();
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(other));
    const std::vector<double>& without = jobs.slowdowns(rest);
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const double lost = slower[rest[i]] - without[i];
      if (lost < 0.0005) continue;
      results[rest[i]].by_job.push_back({results[other].name, "", lost});
    }
  }
  const auto by_loss = [](const JobLoss& a, const JobLoss& b) { return a.share > b.share; };
  for (JobResult& result : results) {
    std::stable_sort(result.by_resource.begin(), result.by_resource.end(), by_loss);
    std::stable_sort(result.by_job.begin(), result.by_job.end(), by_loss);
  }
}

/// The figures of the first job beside the others.
void slow_down(const JobPace& pace, TrainingResult& t) {
  const double factor = pace.iteration;
  t.wait_for_jobs = longer(t.iteration, factor) - t.iteration;
  if (t.wait_for_jobs == SimTime{0} && pace.epoch == 1) return;
  t.iteration += t.wait_for_jobs;
  t.epoch_ps = std::nullopt;
  t.epoch_s *= pace.epoch;
  t.training_s *= pace.training;
  t.samples_per_s /= factor;
  t.model_flops_per_gpu /= factor;
  t.hardware_flops_per_gpu /= factor;
  if (t.scaling_efficiency) *t.scaling_efficiency /= factor;
}

JobPace pace_of(const JobResult& first, const TrainingResult& alone) {
  const auto ratio = [](double seconds, double alone_s) {
    return alone_s > 0 ? seconds / alone_s : 1.0;
  };
  return {first.slowdown, ratio(first.epoch_s, alone.epoch_s),
          ratio(first.training_s, alone.training_s)};
}

/// A resource shared with other jobs is the bottleneck if waiting for them is the longest part.
void name_bottleneck(const JobResult& first, LayoutResult& result) {
  const TrainingResult& t = *result.training;
  const SimTime waits = t.wait_for_jobs;
  if (first.by_resource.empty() || waits <= t.compute || waits <= t.exposed_communication ||
      waits <= t.data_wait) {
    return;
  }
  const JobLoss& loss = first.by_resource.front();
  const double share = to_seconds(waits) / to_seconds(t.iteration);
  result.bottleneck = Bottleneck{loss.resource, loss.cause, share, {}};
}

}  // namespace

/// The engine gives the pace of all jobs together; pauses between jobs are followed by hand, since
/// an epoch has far more iterations than need to be simulated.
void run_jobs(const PreparedLayout& layout, const RunSettings& settings, LayoutResult& result) {
  if (!result.training) return;
  if (const auto known = settings.paces.find(result.name); known != settings.paces.end()) {
    return slow_down(known->second, *result.training);
  }
  if (layout.other_jobs.empty()) return;
  RunSettings own = settings;
  own.next_limit = false;
  own.record = false;
  own.wants_step = {};
  own.hidden_traffic.clear();
  Contention jobs(layout, own);
  const std::vector<double> slower = jobs.slowdowns(jobs.all());
  const std::vector<Ends> ends =
      jobs.size() <= kMostFollowedJobs ? follow(jobs) : all_the_time(jobs, slower);
  std::vector<JobResult> results;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const MixedJob& job = jobs.job(j);
    const Placement& placement = job.placement();
    JobResult& one = results.emplace_back();
    one.name = placement.layout->job_name;
    one.network = placement.job.training->network->name;
    one.ranks = placement.ranks().ranks();
    one.start_s = to_seconds(job.step().start);
    one.iteration_alone = j == 0 ? result.training->iteration : job.iteration();
    one.iteration = longer(one.iteration_alone, slower[j]);
    one.epoch_alone_s = j == 0 ? result.training->epoch_s : job.epoch_s();
    one.epoch_s = one.epoch_alone_s * (ends[j].epoch_s / std::max(job.epoch_s(), 1e-300));
    one.training_s = (j == 0 ? result.training->training_s : job.training_s()) *
                     (ends[j].training_s / std::max(job.training_s(), 1e-300));
    one.samples_per_s = static_cast<double>(placement.job.training->parallelism.global_batch()) /
                        std::max(to_seconds(one.iteration), 1e-300);
    one.slowdown = slower[j];
    one.gpu_utilization = job.busy_share() / slower[j];
  }
  if (!settings.only_times) find_causes(jobs, slower, results);
  result.pace = pace_of(results.front(), *result.training);
  slow_down(result.pace, *result.training);
  name_bottleneck(results.front(), result);
  result.events_of_jobs = jobs.events();
  result.jobs = std::move(results);
}

}  // namespace vgsim::scenario
