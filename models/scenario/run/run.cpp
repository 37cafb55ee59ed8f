#include "models/scenario/run/run.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "models/vsphere/cpu_budget.hpp"
#include "sim/carried.hpp"
#include "sim/floor_check.hpp"
#include "sim/symmetry.hpp"
#include "topology/input/name_ranges.hpp"
#include "topology/input/unit_strings.hpp"

namespace vgsim::scenario {

using collectives::Fidelity;
using collectives::PlacedNetwork;

Fidelity fidelity_of(const Placement& placement, const RunSettings& settings) {
  return settings.fidelity.value_or(placement.job.fidelity);
}

namespace {

/// Whether ranks exchange the results of layers that are spread over them.
bool spreads_layers(const Placement& placement) {
  if (!placement.job.training) return false;
  const auto& layers = placement.job.training->network->layers;
  return std::any_of(layers.begin(), layers.end(), [](const auto& layer) { return layer.sharded; });
}

}  // namespace

Form form_of(const Placement& placement, const RunSettings& settings) {
  const auto& bare = placement.job.collective;
  const bool even = !bare || bare->collective == collectives::Collective::kAllReduce ||
                    bare->collective == collectives::Collective::kAllGather ||
                    bare->collective == collectives::Collective::kReduceScatter;
  const bool by_nccl = placement.job.pattern == collectives::Pattern::kNccl;
  const bool at_home =
      std::none_of(placement.views.begin(), placement.views.end(),
                   [](const auto& view) { return view.vm().remote_client.has_value(); });
  const bool alike = settings.use_symmetry && at_home && even && by_nccl &&
                     !spreads_layers(placement) && placement.beside.empty() &&
                     placement.job.variability.compute_sigma == 0.0 &&
                     fidelity_of(placement, settings) == Fidelity::kFluid;
  return alike ? Form::folded : Form::spread;
}

void check_memory(const Placement& placement, const RunSettings& settings, Form form) {
  if (!settings.memory_limit) return;
  // Measured on 8,000 ranks with jitter: 1.2 kB a task and its dependencies, 0.4 kB a link.
  constexpr std::uint64_t kBytesPerTask = 1200;
  constexpr std::uint64_t kBytesPerLink = 400;
  const Cluster& cluster = placement.cluster;
  const std::uint64_t ranks = ranks_of(placement, form).size();
  std::uint64_t buckets = 1;
  if (const auto& training = placement.job.training) {
    const std::int64_t bytes = training->network->parameters() * training->gradient_bytes.count();
    if (!training->buckets.single) {
      buckets += static_cast<std::uint64_t>(
          bytes / std::max<std::int64_t>(training->buckets.cap.count(), 1));
    }
  }
  const auto channels =
      static_cast<std::uint64_t>(std::max(placement.ranks.decision().channels, 1));
  const std::uint64_t edges = fidelity_of(placement, settings) == Fidelity::kChunk
                                  ? placement.ranks.ranks() * channels
                                  : channels;
  const std::uint64_t links = form == Form::folded
                                  ? cluster.topology.resources.size()
                                  : cluster.topology.resources.size() /
                                        cluster.topology.hosts.size() * cluster.hosts.size();
  const std::uint64_t tasks = ranks * (buckets + 5) + buckets * edges;
  const std::uint64_t estimate = tasks * kBytesPerTask + links * kBytesPerLink;
  if (estimate <= *settings.memory_limit) return;
  const auto size = [](std::uint64_t bytes) {
    return input::format_bytes(Bytes{static_cast<std::int64_t>(bytes)});
  };
  throw LimitExceeded(
      fmt::format("the scenario is too big: {} tasks over {} links need about {} of memory, and "
                  "the limit is {}",
                  tasks, links, size(estimate), size(*settings.memory_limit)));
}

Timeline simulate_checked(const TaskGraph& graph, const Network& network,
                          const RunSettings& settings, RunOptions options) {
  options.limits = settings.limits;
  options.report = settings.report;
  options.find_repeat = settings.find_repeat;
  Timeline timeline = settings.use_symmetry ? simulate_by_classes(graph, network, options)
                                            : simulate(graph, network, options);
  const bool delays_vary = static_cast<bool>(options.vary_delay);
  if (const auto violation = floor_violation(graph, network, timeline, delays_vary)) {
    throw std::logic_error("the result is faster than physics allows: " + *violation);
  }
  return timeline;
}

std::vector<Ratio> carried_by(const TaskGraph& graph, const Network& network,
                              const std::function<bool(TaskId)>& counts) {
  std::vector<RatioSum> amounts(network.routes.size());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const auto id = static_cast<TaskId>(i);
    const FlowWork* flow = graph.flow(id);
    if (flow == nullptr || !counts(id)) continue;
    amounts[static_cast<std::size_t>(flow->route)].add(flow->amount, graph.rounds(id));
  }
  return carried_over(network, amounts);
}

std::vector<LinkUse> link_uses(const Placement& placement, const PlacedNetwork& network,
                               const std::vector<Ratio>& carried, SimTime span) {
  // Alike: the same link of a kind of host, or a fabric link in the same direction, and bytes.
  std::map<std::int64_t, std::vector<std::pair<const Ratio*, std::size_t>>> alike;
  std::vector<LinkUse> uses;
  for (std::uint32_t i = 0; i < carried.size(); ++i) {
    if (carried[i] == 0) continue;
    const ResourceId id{i};
    const auto& link = network.link(id);
    auto& known =
        alike[link.built ? std::int64_t{*link.built} : (link.fabric.up ? std::int64_t{-1} : -2)];
    const auto same = std::find_if(known.begin(), known.end(),
                                   [&](const auto& other) { return *other.first == carried[i]; });
    if (same != known.end()) {
      uses[same->second].links += link.copies;
      continue;
    }
    known.emplace_back(&carried[i], uses.size());
    const Ratio most = delivered(network.network().resources.capacity(id), span);
    const bool counts_cores = network.kind(id) == topology::LinkKind::kCpu;
    const double amount = to_double(carried[i]);
    uses.push_back({link_name(placement, network, id), topology::to_string(network.kind(id)),
                    link.copies, counts_cores ? 0.0 : amount,
                    counts_cores ? amount / vsphere::kCorePicosecondsPerSecond : 0.0,
                    most == 0 ? 0.0 : to_double(carried[i] / most)});
  }
  std::stable_sort(uses.begin(), uses.end(), [](const LinkUse& a, const LinkUse& b) {
    if (a.utilization != b.utilization) return a.utilization > b.utilization;
    return input::natural_less(a.resource, b.resource);
  });
  return uses;
}

std::optional<Bottleneck> bottleneck_of(const Placement& placement, const PlacedNetwork& network,
                                        const std::vector<PathSegment>& path,
                                        const TaskGraph& graph, SimTime begin, SimTime end) {
  std::optional<PathShare> longest;
  for (const PathShare& share : shares(path, graph, begin, end)) {
    if (share.kind != PathKind::resource) continue;
    if (!longest || share.time > longest->time) longest = share;
  }
  if (!longest) return std::nullopt;
  const ResourceId id{longest->key};
  return Bottleneck{link_name(placement, network, id), topology::to_string(network.kind(id)),
                    to_seconds(longest->time) / to_seconds(end - begin)};
}

}  // namespace vgsim::scenario
