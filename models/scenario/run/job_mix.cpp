#include "models/scenario/run/job_mix.hpp"

#include <algorithm>
#include <utility>

namespace vgsim::scenario {
namespace {

constexpr std::uint64_t kMostTasksInMix = 4'000'000;  ///< in all iterations of all jobs
constexpr std::uint64_t kMostInMix = 24;              ///< of the slowest job, beyond the warm-up
constexpr std::uint64_t kFewestInMix = 4;
/// Iterations of equal length after which a job is in its steady state.
constexpr std::size_t kEqualInMix = 3;

/// Ends of the iterations of one job.
struct JobProgress {
  std::size_t ends = 0;                                           ///< tasks that end its iteration
  std::map<std::uint64_t, std::pair<std::size_t, SimTime>> open;  ///< ended tasks, and the last
  std::vector<SimTime> done;  ///< ends of complete iterations, in order

  void end(std::uint64_t iteration, SimTime now) {
    auto& [count, last] = open[iteration];
    last = std::max(last, now);
    if (++count < ends) return;
    done.push_back(last);
    open.erase(iteration);
  }
  [[nodiscard]] bool is_steady(std::size_t warm_up) const {
    if (done.size() < warm_up + kEqualInMix + 1) return false;
    const SimTime* last = &done.back();
    for (std::size_t i = 1; i < kEqualInMix; ++i) {
      if (last[-static_cast<std::ptrdiff_t>(i)] - last[-static_cast<std::ptrdiff_t>(i) - 1] !=
          last[0] - last[-1]) {
        return false;
      }
    }
    return true;
  }
  /// Of the iterations after the warm-up; of equal ones the last.
  [[nodiscard]] SimTime mean(std::size_t warm_up) const {
    if (is_steady(warm_up)) return done.back() - done[done.size() - 2];
    const std::size_t from = std::min(warm_up, done.size() - 2);
    const auto count = static_cast<std::int64_t>(done.size() - 1 - from);
    return SimTime{(done.back() - done[from]).count() / count};
  }
};

}  // namespace

JobMix::Key JobMix::key_of(std::size_t job, const collectives::PlacedNetwork& placed,
                           ResourceId id) const {
  const collectives::PlacedLink& link = placed.link(id);
  if (apart_.contains(placed.kind(id)) || (link.built && link.copies > 1)) {
    return {1 + job, 0, 0, static_cast<std::size_t>(id)};
  }
  if (link.built) return {0, 1, link.host, *link.built};
  return {0, 2 + (link.fabric.up ? 1 : 0), link.fabric.leaf, link.fabric.spine};
}

void JobMix::add(const JobStep& step) {
  const std::size_t job = steps_.size();
  const collectives::PlacedNetwork& placed = *step.placed;
  const Network& own = placed.network();
  // Only crossed resources: a job's network has those of all hosts of the cluster.
  std::map<ResourceId, ResourceId> resource_of;
  const auto shared = [&](ResourceId id) {
    const auto [known, is_new] = resource_of.try_emplace(id);
    if (!is_new) return known->second;
    const auto [it, is_first] = known_.try_emplace(key_of(job, placed, id));
    if (is_first) {
      it->second = network_.resources.add(own.resources.capacity(id));
      resources_.push_back({placed.kind(id), {}});
    }
    return known->second = it->second;
  };
  std::vector<RouteId> route_of;
  for (std::uint32_t r = 0; r < own.routes.size(); ++r) {
    std::vector<Crossing> crossings;
    for (const Crossing& c : own.routes.crossings(RouteId{r})) {
      const ResourceId id = shared(c.resource);
      resources_[static_cast<std::size_t>(id)].users.emplace(job, c.resource);
      crossings.push_back({id, c.coefficient});
    }
    route_of.push_back(network_.routes.add(std::move(crossings)));
  }
  for (const CapacityChange& change : own.capacity_changes) {
    network_.capacity_changes.push_back(
        {change.at, shared(change.resource), change.capacity_per_second});
  }
  first_task_.push_back(graph_.size());
  for (std::size_t i = 0; i < step.graph->size(); ++i) {
    Task task = step.graph->task(static_cast<TaskId>(i));
    if (task.flow) task.flow->route = route_of[static_cast<std::size_t>(task.flow->route)];
    graph_.add(task);
  }
  const auto shifted = [&](TaskId id) {
    return static_cast<TaskId>(index(id) + first_task_.back());
  };
  for (const Edge& edge : step.graph->edges()) {
    if (edge.feeds) {
      graph_.feed(shifted(edge.before), shifted(edge.after), edge.lag);
    } else {
      graph_.depend(shifted(edge.before), shifted(edge.after), edge.lag);
    }
  }
  steps_.push_back(step);
}

/// The tasks that begin the jobs that start later than others, with the delay of each. Of a later
/// start only the part of an iteration matters for the pace, so it is shortened.
std::map<TaskId, SimTime> JobMix::first_tasks() const {
  std::map<TaskId, SimTime> first;
  SimTime earliest = steps_.front().start;
  for (const JobStep& step : steps_) earliest = std::min(earliest, step.start);
  for (std::size_t j = 0; j < steps_.size(); ++j) {
    const SimTime later = steps_[j].start - earliest;
    if (later == SimTime{0} || steps_[j].alone == SimTime{0}) continue;
    const SimTime delay{later.count() % steps_[j].alone.count()};
    std::vector<bool> waits(steps_[j].graph->size());
    for (const Edge& edge : steps_[j].graph->edges()) {
      if (edge.lag == 0) waits[index(edge.after)] = true;
    }
    for (std::size_t i = 0; i < waits.size(); ++i) {
      if (!waits[i]) first.emplace(static_cast<TaskId>(first_task_[j] + i), delay);
    }
  }
  return first;
}

MixRun JobMix::run(const Limits& limits) const {
  std::vector<JobProgress> progress(steps_.size());
  std::map<TaskId, std::size_t> job_of_end;
  for (std::size_t j = 0; j < steps_.size(); ++j) {
    progress[j].ends = steps_[j].ends.size();
    for (const TaskId end : steps_[j].ends) {
      job_of_end.emplace(static_cast<TaskId>(index(end) + first_task_[j]), j);
    }
  }
  const std::uint64_t affordable = kMostTasksInMix / std::max<std::uint64_t>(graph_.size(), 1);
  const std::uint64_t enough = std::clamp(affordable, kFewestInMix, kMostInMix);
  RunOptions options;
  options.limits = limits;
  options.find_repeat = false;
  options.iterations = kMostTasksInMix;
  for (const auto& [task, job] : job_of_end) options.watched.push_back(task);
  options.goes_on = [&](TaskId task, std::uint64_t iteration, SimTime now) {
    progress[job_of_end.at(task)].end(iteration, now);
    for (std::size_t j = 0; j < progress.size(); ++j) {
      const std::size_t warm_up = steps_[j].warm_up;
      if (!progress[j].is_steady(warm_up) && progress[j].done.size() < warm_up + enough + 1)
        return true;
    }
    return false;
  };
  if (const auto first = first_tasks(); !first.empty()) {
    options.vary_delay = [first](TaskId task, std::uint64_t iteration, SimTime delay) {
      if (iteration > 0) return delay;
      const auto found = first.find(task);
      return found == first.end() ? delay : delay + found->second;
    };
  }
  MixRun done;
  done.events = simulate(graph_, network_, options).events;
  for (std::size_t j = 0; j < progress.size(); ++j) {
    done.iterations.push_back(progress[j].mean(steps_[j].warm_up));
  }
  return done;
}

std::set<topology::LinkKind> JobMix::shared_kinds() const {
  std::set<topology::LinkKind> kinds;
  for (const Resource& resource : resources_) {
    if (resource.users.size() > 1) kinds.insert(resource.kind);
  }
  return kinds;
}

std::optional<ResourceId> JobMix::shared_resource(std::size_t job, topology::LinkKind kind) const {
  for (const Resource& resource : resources_) {
    if (resource.kind != kind || resource.users.size() < 2) continue;
    const auto own = resource.users.find(job);
    if (own != resource.users.end()) return own->second;
  }
  return std::nullopt;
}

}  // namespace vgsim::scenario
