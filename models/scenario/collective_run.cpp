#include "models/scenario/collective_run.hpp"

#include "models/scenario/run.hpp"
#include "sim/fingerprint.hpp"

namespace vgsim::scenario {
namespace {

CollectivePoint measure(Bytes size, SimTime time, std::size_t ranks) {
  const double algbw =
      time == SimTime{0} ? 0.0 : static_cast<double>(size.count()) / to_seconds(time) / 1e9;
  const auto n = static_cast<double>(ranks);
  return {size, time, algbw, algbw * 2.0 * (n - 1.0) / n};
}

}  // namespace

void run_collective(const Cluster& cluster, const CollectiveJob& job,
                    const collectives::RingPlan& plan, const collectives::StepLatencies& latencies,
                    LayoutResult& result) {
  Network network;
  network.resources = ResourceTable(cluster.capacity);
  const collectives::RingAllReduce all_reduce(plan, latencies, network.routes);
  result.collective.emplace();
  Fingerprint events;
  Fingerprint times;
  Bytes largest{};
  for (const Bytes size : job.sizes) {
    TaskGraph graph;
    const auto tasks = all_reduce.add(graph, size, {});
    const Timeline timeline = simulate_checked(graph, network);
    result.collective->points.push_back(measure(size, timeline.makespan, plan.ranks.size()));
    result.events += timeline.events;
    events.add(event_fingerprint(timeline));
    times.add(result_fingerprint(timeline));
    if (size < largest) continue;
    largest = size;
    const auto path = critical_path(timeline, tasks.end);
    result.bottleneck = bottleneck_of(cluster, path, graph, SimTime{0}, timeline.makespan);
    result.links = link_uses(cluster, timeline.carried, timeline.makespan);
  }
  result.event_fingerprint = fingerprint_text(events.value());
  result.fingerprint = fingerprint_text(times.value());
}

}  // namespace vgsim::scenario
