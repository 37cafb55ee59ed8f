#include "models/scenario/run.hpp"

#include <algorithm>
#include <stdexcept>

#include "sim/floor_check.hpp"
#include "topology/input/name_ranges.hpp"

namespace vgsim::scenario {

Timeline simulate_checked(const TaskGraph& graph, const Network& network) {
  Timeline timeline = simulate(graph, network);
  if (const auto violation = floor_violation(graph, network, timeline)) {
    throw std::logic_error("the result is faster than physics allows: " + *violation);
  }
  return timeline;
}

std::vector<LinkUse> link_uses(const Cluster& cluster, const std::vector<Exact>& carried,
                               SimTime span) {
  std::vector<LinkUse> uses;
  for (std::size_t i = 0; i < carried.size(); ++i) {
    if (carried[i] == 0) continue;
    const topology::LinkResource& resource = cluster.topology.resources[i];
    const Exact most = delivered(cluster.capacity[i], span);
    uses.push_back({resource.name, topology::to_string(resource.kind), to_double(carried[i]),
                    most == 0 ? 0.0 : to_double(carried[i] / most)});
  }
  std::stable_sort(uses.begin(), uses.end(), [](const LinkUse& a, const LinkUse& b) {
    if (a.utilization != b.utilization) return a.utilization > b.utilization;
    return input::natural_less(a.resource, b.resource);
  });
  return uses;
}

std::optional<Bottleneck> bottleneck_of(const Cluster& cluster,
                                        const std::vector<PathSegment>& path,
                                        const TaskGraph& graph, SimTime begin, SimTime end) {
  std::optional<PathShare> longest;
  for (const PathShare& share : shares(path, graph, begin, end)) {
    if (share.kind != PathKind::resource) continue;
    if (!longest || share.time > longest->time) longest = share;
  }
  if (!longest) return std::nullopt;
  const topology::LinkResource& resource = cluster.topology.resources[longest->key];
  return Bottleneck{resource.name, topology::to_string(resource.kind),
                    to_seconds(longest->time) / to_seconds(end - begin)};
}

}  // namespace vgsim::scenario
