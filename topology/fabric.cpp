#include "topology/fabric.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "topology/look_up.hpp"

namespace vgsim::topology {
namespace {

using input::At;
using input::Diagnostics;

constexpr std::size_t kMostFabricLinks = 200'000;

BytesPerSecond port_rate(const HostNic& nic, const Fabric::Plan& plan) {
  return std::min(nic.port_rate, plan.host_link.value_or(nic.port_rate));
}

}  // namespace

Fabric::Plan plan_fabric(const std::optional<At<FabricSpec>>& fabric, std::size_t hosts,
                         std::size_t widest_host, const Catalog& catalog,
                         Diagnostics& diagnostics) {
  Fabric::Plan plan;
  if (!fabric) return plan;
  const FabricSpec& spec = **fabric;
  const bool single = spec.kind == FabricKind::kSingleSwitch;
  plan.rails = spec.kind == FabricKind::kRails;
  const std::size_t rails = plan.rails ? std::max<std::size_t>(widest_host, 1) : 1;
  plan.leaves = spec.leaves ? static_cast<std::size_t>(*spec.leaves) : rails;
  plan.spines = static_cast<std::size_t>(spec.spines.value_or(single ? 0 : 1));
  plan.hosts_per_leaf = spec.hosts_per_leaf ? static_cast<std::size_t>(**spec.hosts_per_leaf) : 0;
  plan.host_link = spec.host_link;
  plan.uplink = spec.uplink;
  const std::size_t groups =
      plan.hosts_per_leaf == 0 ? 1 : (hosts + plan.hosts_per_leaf - 1) / plan.hosts_per_leaf;
  const std::size_t leaves = plan.leaves * groups;
  if (leaves > kMostFabricLinks / std::max<std::size_t>(plan.spines, 1)) {
    report(diagnostics, *fabric,
           fmt::format("{} leaves and {} spines have {} links", leaves, plan.spines,
                       leaves * plan.spines),
           fmt::format("at most {} links between leaves and spines", kMostFabricLinks));
    plan.leaves = plan.spines = 1;
    plan.hosts_per_leaf = 0;
  }
  if (single && (plan.leaves > 1 || plan.spines > 0)) {
    report(diagnostics, *fabric, "a single switch has one leaf and no spine",
           "\"kind\": \"leaf-spine\"");
  }
  if (!plan.rails && plan.hosts_per_leaf > 0) {
    report(diagnostics, *spec.hosts_per_leaf,
           "the number of leaves already determines how many hosts share one",
           "\"kind\": \"rails\"");
  }
  if (spec.network_switch) {
    const auto* model = look_up_part(catalog.switches, catalog, "switches", *spec.network_switch,
                                     "switch", diagnostics);
    if (model != nullptr && model->latency) plan.switch_latency = model->latency->value;
  }
  return plan;
}

std::optional<std::size_t> stated_leaf(const std::optional<At<std::int64_t>>& leaf,
                                       const Fabric::Plan& plan, Diagnostics& diagnostics) {
  if (!leaf || plan.rails) return std::nullopt;
  const auto number = static_cast<std::size_t>(**leaf);
  if (number <= plan.leaves) return number - 1;
  report(diagnostics, *leaf, fmt::format("leaf {} of a fabric with {}", number, plan.leaves));
  return 0;
}

std::vector<std::string> fabric_assumptions(const std::optional<At<FabricSpec>>& fabric,
                                            const Fabric::Plan& plan, std::size_t hosts) {
  std::vector<std::string> assumptions;
  if (!fabric && hosts > 1) {
    assumptions.emplace_back("fabric not given: one non-blocking switch without latency");
  }
  if (fabric && plan.spines > 0 && !plan.uplink) {
    assumptions.emplace_back("uplinks not given: leaves are not oversubscribed");
  }
  return assumptions;
}

void add_ports(Topology& topology, std::size_t host, const Fabric::Plan& plan) {
  for (HostNic& nic : topology.hosts[host].nics) {
    const std::string card = topology.node(nic.vertex).name;
    const BytesPerSecond rate = port_rate(nic, plan);
    nic.out = topology.add_resource(
        {card + " -> network", LinkKind::kNicPort, rate, nic.payload_share, nic.source});
    nic.in = topology.add_resource(
        {"network -> " + card, LinkKind::kNicPort, rate, nic.payload_share, nic.source});
  }
}

Fabric::Fabric(const Plan& plan, const std::vector<Attached>& hosts) : plan_(plan) {
  for (std::size_t h = 0; h < hosts.size(); ++h) {
    const std::size_t group = plan_.hosts_per_leaf == 0 ? 0 : h / plan_.hosts_per_leaf;
    const std::size_t leaf = plan_.rails ? group * plan_.leaves
                                         : hosts[h].leaf.value_or(h * plan_.leaves / hosts.size());
    places_.push_back({static_cast<std::uint32_t>(leaf),
                       static_cast<std::uint32_t>(h % std::max<std::size_t>(plan_.spines, 1))});
  }
  for (std::size_t h = 0; h < hosts.size(); ++h) {
    for (std::size_t n = 0; n < hosts[h].ports.size(); ++n) {
      const std::size_t leaf = leaf_of({h, n});
      if (towards_hosts_.size() <= leaf) towards_hosts_.resize(leaf + 1);
      const BytesPerSecond port = hosts[h].ports[n];
      towards_hosts_[leaf] += std::min(port, plan_.host_link.value_or(port)).count();
    }
  }
}

std::optional<FabricPath> Fabric::path(const NicPosition& from, const NicPosition& to) const {
  const std::size_t leaf_up = leaf_of(from);
  const std::size_t leaf_down = leaf_of(to);
  if (leaf_up == leaf_down) return FabricPath{std::nullopt, std::nullopt, plan_.switch_latency};
  if (plan_.spines == 0) return std::nullopt;
  const auto spine =
      static_cast<std::uint32_t>(remainder(places_[to.host].spine + to.nic, plan_.spines));
  return FabricPath{FabricLink{static_cast<std::uint32_t>(leaf_up), spine, true},
                    FabricLink{static_cast<std::uint32_t>(leaf_down), spine, false},
                    plan_.switch_latency * 3};
}

BytesPerSecond Fabric::rate(const FabricLink& link) const {
  if (plan_.uplink) return *plan_.uplink;
  return BytesPerSecond{towards_hosts_[link.leaf] / static_cast<std::int64_t>(plan_.spines)};
}

std::string Fabric::name(const FabricLink& link) const {
  const std::string leaf = fmt::format("leaf{}", link.leaf + 1);
  const std::string spine = fmt::format("spine{}", link.spine + 1);
  return link.up ? leaf + " -> " + spine : spine + " -> " + leaf;
}

}  // namespace vgsim::topology
