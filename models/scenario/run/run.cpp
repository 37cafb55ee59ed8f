#include "models/scenario/run/run.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "models/scenario/run/same_step.hpp"
#include "models/training/step_graph.hpp"
#include "models/vsphere/cpu_budget.hpp"
#include "sim/carried.hpp"
#include "sim/floor_check.hpp"
#include "sim/symmetry.hpp"
#include "topology/input/name_ranges.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::scenario {

using collectives::Fidelity;
using collectives::PlacedNetwork;

Timeline simulate_checked(const TaskGraph& graph, const Network& network,
                          const RunSettings& settings, RunOptions options) {
  if (settings.wants_step && !settings.wants_step(graph, network)) {
    throw StepNotWanted("a step was not requested");
  }
  options.limits = settings.limits;
  options.report = settings.report;
  options.find_repeat = settings.find_repeat;
  options.end_at_repeat |= !settings.epoch_end;
  if (settings.known_steps) {
    if (const Timeline* known = settings.known_steps->find(graph, network, options)) return *known;
  }
  const auto check = [delays_vary = static_cast<bool>(options.vary_delay)](
                         const TaskGraph& tasks, const Network& links, const Timeline& timeline) {
    if (const auto violation = floor_violation(tasks, links, timeline, delays_vary)) {
      throw std::logic_error("the result is faster than physics allows: " + *violation);
    }
  };
  const auto simulated = [&] {
    if (settings.use_symmetry) return simulate_by_classes(graph, network, options, check);
    Timeline timeline = simulate(graph, network, options);
    check(graph, network, timeline);
    return timeline;
  };
  Timeline timeline = simulated();
  if (settings.learned_steps) settings.learned_steps->add(graph, network, options, timeline);
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

double utilization_of(const PlacedNetwork& network, ResourceId id, const Ratio& carried,
                      SimTime span) {
  const Ratio most = delivered(network.network().resources.capacity(id), span);
  return most == 0 ? 0.0 : std::min(to_double(carried / most), 1.0);
}

std::vector<LinkUse> link_uses(const Placement& placement, const PlacedNetwork& network,
                               const std::vector<Ratio>& carried, SimTime span) {
  // Key of merged links: the same link of a kind of host, or a fabric link in the same direction,
  // with equal bytes.
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
    const bool counts_cores = network.kind(id) == topology::LinkKind::kCpu;
    const double amount = to_double(carried[i]);
    uses.push_back({link_name(placement, network, id), topology::to_string(network.kind(id)),
                    link.copies, counts_cores ? 0.0 : amount,
                    counts_cores ? amount / vsphere::kCorePicosecondsPerSecond : 0.0,
                    utilization_of(network, id, carried[i], span)});
  }
  std::stable_sort(uses.begin(), uses.end(), [](const LinkUse& a, const LinkUse& b) {
    if (a.utilization != b.utilization) return a.utilization > b.utilization;
    return input::natural_less(a.resource, b.resource);
  });
  return uses;
}

namespace {

bool is_wire(topology::LinkKind kind) {
  return kind == topology::LinkKind::kNvLink || kind == topology::LinkKind::kPcie ||
         kind == topology::LinkKind::kNicPort;
}

}  // namespace

SimTime at_line_rate(const Placement& placement, const PlacedNetwork& network,
                     const std::vector<Ratio>& carried, bool with_storage) {
  // Doubles select the candidates; the largest time is computed exactly.
  constexpr double kRounding = 1e-9;
  double longest_s = 0;
  SimTime longest{};
  for (std::uint32_t i = 0; i < carried.size(); ++i) {
    const auto& built = network.link(ResourceId{i}).built;
    if (!built || carried[i].is_zero()) continue;
    const topology::LinkKind kind = network.kind(ResourceId{i});
    if (!is_wire(kind) && !(with_storage && kind == topology::LinkKind::kStorage)) continue;
    const topology::LinkResource& link = placement.cluster->topology.resources[*built];
    const Ratio rate = Ratio(link.line_rate.count()) * link.directions;
    const double seconds = to_double(carried[i]) / to_double(rate);
    if (seconds < longest_s * (1 - kRounding)) continue;
    longest_s = std::max(longest_s, seconds);
    longest = std::max(longest, duration_of(carried[i], rate));
  }
  return longest;
}

SimTime longest_carried(const PlacedNetwork& network, const std::vector<Ratio>& carried) {
  SimTime longest{};
  for (std::uint32_t i = 0; i < carried.size(); ++i) {
    if (carried[i] == 0) continue;
    longest = std::max(
        longest, duration_of(carried[i], network.network().resources.capacity(ResourceId{i})));
  }
  return longest;
}

/// Counts exchanged and read bytes in one pass over the tasks.
Floors traffic_floors(const Placement& placement, const PlacedNetwork& network,
                      const TaskGraph& graph, SimTime hidden) {
  const std::size_t routes = network.network().routes.size();
  std::vector<RatioSum> exchanged(routes);
  std::vector<RatioSum> read;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const auto id = static_cast<TaskId>(i);
    const FlowWork* flow = graph.flow(id);
    if (flow == nullptr) continue;
    const bool reads = training::is_input(static_cast<training::Activity>(graph.category(id)));
    if (reads && read.empty()) read.resize(routes);
    (reads ? read : exchanged)[static_cast<std::size_t>(flow->route)].add(flow->amount,
                                                                          graph.rounds(id));
  }
  std::vector<Ratio> carried = carried_over(network.network(), exchanged);
  const SimTime communication = at_line_rate(placement, network, carried);
  SimTime links = communication;  // storage carries no exchanged data
  if (!read.empty()) {
    const std::vector<Ratio> input = carried_over(network.network(), read);
    for (std::size_t i = 0; i < carried.size(); ++i) {
      if (!input[i].is_zero()) carried[i] += input[i];
    }
    links = at_line_rate(placement, network, carried, true);
  }
  return {links, std::max(communication - hidden, SimTime{0}), SimTime{0}};
}

std::optional<std::size_t> busiest_cores(const Placement& placement, const PlacedNetwork& network,
                                         const std::vector<Ratio>& carried) {
  std::optional<std::size_t> busiest;
  for (std::uint32_t i = 0; i < carried.size(); ++i) {
    const collectives::PlacedLink& link = network.link(ResourceId{i});
    if (!link.built || carried[i].is_zero()) continue;
    const auto& host = placement.cluster->topology.hosts[placement.cluster->hosts[link.host].kind];
    if (host.cores != link.built) continue;
    if (!busiest || carried[*busiest] < carried[i]) busiest = i;
  }
  return busiest;
}

double cores_busy(const Placement& placement, const PlacedNetwork& network,
                  const std::vector<Ratio>& carried, SimTime span) {
  const auto busiest = busiest_cores(placement, network, carried);
  if (!busiest) return 0.0;
  return to_double(carried[*busiest]) / vsphere::kCorePicosecondsPerSecond / to_seconds(span);
}

topology::LinkKind link_kind_called(const PlacedNetwork& network, const std::string& word) {
  std::uint32_t r = 0;
  while (topology::to_string(network.kind(ResourceId{r})) != word) ++r;
  return network.kind(ResourceId{r});
}

namespace {

/// "the card's PCIe Gen3 x8" for the link between a device and its slot.
std::string slot_of(const topology::Topology& topology, const collectives::PlacedLink& placed) {
  if (!placed.built) return {};
  for (const topology::Edge& edge : topology.edges()) {
    const topology::Link& link = topology.link(edge);
    if (link.resource != placed.built || !link.pcie) continue;
    for (const topology::Vertex end : {edge.source, edge.target}) {
      const topology::NodeKind kind = topology.node(end).kind;
      if (kind != topology::NodeKind::kNic && kind != topology::NodeKind::kGpu) continue;
      return fmt::format("the {}'s PCIe Gen{} x{}",
                         kind == topology::NodeKind::kNic ? "card" : "GPU", link.pcie->generation,
                         link.pcie->lanes);
    }
  }
  return {};
}

}  // namespace

std::optional<Bottleneck> bottleneck_of(const Placement& placement, const PlacedNetwork& network,
                                        const std::vector<PathShare>& path, SimTime length) {
  std::optional<PathShare> longest;
  for (const PathShare& share : path) {
    if (share.kind != PathKind::resource) continue;
    if (!longest || share.time > longest->time) longest = share;
  }
  if (!longest) return std::nullopt;
  const ResourceId id{longest->key};
  return Bottleneck{link_name(placement, network, id), topology::to_string(network.kind(id)),
                    to_seconds(longest->time) / to_seconds(length),
                    slot_of(placement.cluster->topology, network.link(id))};
}

}  // namespace vgsim::scenario
