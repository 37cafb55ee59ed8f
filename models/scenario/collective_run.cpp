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

void run_collective(const Placement& placement, const RunSettings& settings, LayoutResult& result) {
  check_memory(placement, settings, form_of(placement, settings));
  collectives::PlacedNetwork placed = place_network(placement, form_of(placement, settings));
  const collectives::RingAllReduce all_reduce(placement.plan, placement.latencies, placed,
                                              fidelity_of(placement, settings));
  const std::size_t ranks = placement.plan.ranks();
  result.collective.emplace();
  Fingerprint events;
  Fingerprint times;
  Bytes largest{};
  for (const Bytes size : placement.job.collective->sizes) {
    TaskGraph graph;
    const auto tasks = all_reduce.add(graph, size, {});
    const Timeline timeline = simulate_checked(graph, placed.network(), settings);
    result.collective->points.push_back(measure(size, timeline.makespan, ranks));
    result.events += timeline.events;
    events.add(event_fingerprint(timeline));
    times.add(static_cast<std::uint64_t>(timeline.makespan.count()));
    if (size < largest) continue;
    largest = size;
    const auto path = critical_path(timeline, tasks.end);
    result.bottleneck =
        bottleneck_of(placement, placed, path, graph, SimTime{0}, timeline.makespan);
    result.links = link_uses(placement, placed, timeline.carried, timeline.makespan);
  }
  result.event_fingerprint = fingerprint_text(events.value());
  result.fingerprint = fingerprint_text(times.value());
}

}  // namespace vgsim::scenario
