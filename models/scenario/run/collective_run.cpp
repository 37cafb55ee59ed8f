#include "models/scenario/run/collective_run.hpp"

#include <map>

#include "models/collectives/lowering.hpp"
#include "models/collectives/nccl/algorithms/record.hpp"
#include "models/scenario/read/library.hpp"
#include "models/scenario/run/run.hpp"
#include "models/scenario/run/slow_choices.hpp"
#include "models/scenario/run/topology_drawing.hpp"
#include "models/training/compute.hpp"
#include "sim/fingerprint.hpp"

namespace vgsim::scenario {
namespace {

using collectives::Collective;

SimTime end_of(const Timeline& timeline, TaskId task) { return timeline.find(task, 0)->end; }

CollectivePoint measure(Collective collective, Bytes size, SimTime time, std::size_t ranks) {
  CollectivePoint point;
  point.size = size;
  point.time = time;
  if (time > SimTime{0}) {
    point.algbw_GBps = static_cast<double>(size.count()) / to_seconds(time) / 1e9;
  }
  point.busbw_GBps = point.algbw_GBps * collectives::bus_factor(collective, ranks);
  return point;
}

void say_choice(const collectives::Choice& choice, CollectivePoint& point) {
  const auto in_words = [](const collectives::nccl::Candidate& candidate) {
    return NcclChoice{collectives::nccl::to_string(candidate.algorithm),
                      collectives::nccl::to_string(candidate.protocol), candidate.us};
  };
  point.choice = in_words(choice.chosen);
  if (choice.runner_up) point.runner_up = in_words(*choice.runner_up);
  point.channels = static_cast<std::size_t>(choice.work.channels_used);
}

/// Savings of reductions in the NVSwitch: chunks of 1/N sent and received by a GPU.
std::optional<Operations> operations_of(const collectives::Choice& choice,
                                        const collectives::RankGroup& ranks) {
  if (!collectives::nccl::record_of(choice.chosen.algorithm).by_switch) return std::nullopt;
  const std::size_t gpus = ranks.ranks() / ranks.decision().nodes.size();
  return Operations{gpus, 2 * gpus + 2, 4 * (gpus - 1)};
}

/// The calibration's correction for this collective, in addition to parameters.
const calibration::Correction* correction_of(const Placement& placement, const Library& library) {
  const char* collective = collectives::to_string(placement.job.collective->collective);
  for (const calibration::Correction& each : library.corrections) {
    if (each.collective == collective && each.ranks == placement.ranks().ranks() &&
        each.machines == placement.vms().size() && placement.communicators->beside.empty()) {
      return &each;
    }
  }
  return nullptr;
}

void correct(double factor, CollectivePoint& point) {
  for (SimTime CollectivePoint::*time : {&CollectivePoint::time, &CollectivePoint::low,
                                         &CollectivePoint::high, &CollectivePoint::fixed}) {
    point.*time = training::stretched(point.*time, factor);
  }
  point.algbw_GBps /= factor;
  point.busbw_GBps /= factor;
}

/// Delays the end of a collective until one thread has launched it on all its GPUs, one after the
/// other; a launch takes longer with more channels, and in AllToAll with more peers.
collectives::CollectiveTasks launched_by_threads(TaskGraph& graph, const Placement& placement,
                                                 const std::optional<collectives::Choice>& choice,
                                                 collectives::CollectiveTasks tasks) {
  const CollectiveJob& job = *placement.job.collective;
  if (job.gpus_per_thread == 1) return tasks;
  const collectives::StepCosts& costs = placement.costs;
  SimTime each = costs.thread_launch;
  if (choice) each += costs.thread_channel * choice->work.channels_used;
  if (job.collective == Collective::kAllToAll) {
    each += costs.thread_peer * (static_cast<std::int64_t>(placement.ranks().ranks()) - 1);
  }
  std::size_t most = 0;  // largest number of GPUs of a machine
  for (const JobMachine& machine : placement.job.machines) {
    most = std::max(most, machine.gpus.size());
  }
  const SimTime all = each * std::min(job.gpus_per_thread, static_cast<std::int64_t>(most));
  const TaskId launches = graph.add(Task{all, std::nullopt, 0, 0, 1});
  const TaskId end = graph.add(Task{SimTime{0}, std::nullopt, 0, 0, 1});
  graph.depend(tasks.end, end);
  graph.depend(launches, end);
  return {tasks.begin, end, std::max(tasks.fixed, all)};
}

}  // namespace

void run_collective(const PreparedLayout& prepared, const RunSettings& settings,
                    LayoutResult& result) {
  const Placement& placement = prepared.placement;
  const Library& library = *prepared.library.library;
  const Aggregation aggregation = aggregation_of(placement, settings);
  collectives::PlacedNetwork placed = place_network(placement, aggregation);
  collectives::Lowering lowering(placement.ranks(), placement.costs, placed,
                                 fidelity_of(placement, settings));
  lowering.use_pattern(placement.job.pattern);
  std::vector<collectives::Lowering> beside;
  for (const auto& group : placement.communicators->beside) {
    beside.emplace_back(group->ranks, placement.costs, placed, fidelity_of(placement, settings));
  }
  const collectives::Chooser chooser(placement.ranks());
  const CollectiveJob& job = *placement.job.collective;
  result.collective.emplace();
  result.collective->collective = collectives::to_string(job.collective);
  const calibration::Correction* correction = correction_of(placement, library);
  Fingerprint events;
  Fingerprint times;
  Bytes largest{};
  std::map<Bytes, std::size_t> calls;
  for (const Bytes size : job.sizes) {
    TaskGraph graph;
    const auto choice = placement.job.pattern == collectives::Pattern::kNccl
                            ? chooser.choose(job.collective, size)
                            : std::nullopt;
    const auto tasks = launched_by_threads(graph, placement, choice,
                                           lowering.add(graph, job.collective, size, {}));
    // Without the traffic of others beside it, which does not hold it up.
    const SimTime at_line_rate = traffic_floors(placement, placed, graph, SimTime{0}).links;
    std::vector<TaskId> other_ends;
    for (std::size_t b = 0; b < beside.size(); ++b) {
      const ConcurrentCollective& other = placement.job.beside[b];
      other_ends.push_back(
          beside[b].add(graph, other.collective, other.size.value_or(size), {}).end);
    }
    const Timeline timeline = simulate_checked(graph, placed.network(), settings);
    const SimTime time = end_of(timeline, tasks.end);
    CollectivePoint point = measure(job.collective, size, time, placement.ranks().ranks());
    for (const TaskId end : other_ends) point.beside.push_back(end_of(timeline, end));
    const auto interval = collectives::interval_of(time, tasks.fixed, placement.spread);
    point.low = interval.low;
    point.high = interval.high;
    point.fixed = tasks.fixed;
    if (correction != nullptr) correct(correction->at(size), point);
    point.low = std::max(point.low, std::min(point.time, at_line_rate));
    if (choice) say_choice(*choice, point);
    ++calls[size];
    if (choice && job.collective == Collective::kAllReduce) {
      point.operations = operations_of(*choice, placement.ranks());
    }
    const auto path = shares(critical_path(timeline, tasks.end), graph, SimTime{0}, time);
    const auto bottleneck = bottleneck_of(placement, placed, path, time);
    if (bottleneck) point.bottleneck = bottleneck->resource;
    result.collective->points.push_back(std::move(point));
    result.events += timeline.events;
    result.tasks += graph.size();
    events.add(event_fingerprint(timeline));
    times.add(static_cast<std::uint64_t>(time.count()));
    if (size < largest) continue;
    largest = size;
    result.bottleneck = bottleneck;
    result.links = link_uses(placement, placed, timeline.carried, timeline.makespan);
    if (settings.record) {
      result.picture = draw_topology(placement, placed, timeline.carried, timeline.makespan);
    }
  }
  if (!settings.only_times) {
    warn_of_slow_choices(placement, library, job.collective, calls, lowering, result);
  }
  result.event_fingerprint = fingerprint_text(events.value());
  result.fingerprint = fingerprint_text(times.value());
}

}  // namespace vgsim::scenario
