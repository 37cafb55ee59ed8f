#include "topology/fabric_builder.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "topology/host_input.hpp"

namespace vgsim::topology {
namespace {

using input::Diagnostics;
using input::find;
using input::Value;

constexpr std::size_t kMostFabricLinks = 200'000;

struct Plan {
  bool rails = false;
  std::size_t leaves = 1;
  std::size_t spines = 0;
  std::optional<BytesPerSecond> host_link;
  std::optional<BytesPerSecond> uplink;
  SimTime switch_latency{};
};

std::size_t widest_host(const Topology& topology) {
  std::size_t nics = 1;
  for (const Host& host : topology.hosts) nics = std::max(nics, host.nics.size());
  return nics;
}

Plan read_plan(const Topology& topology, const Catalog& catalog, const Value& fabric,
               Diagnostics& diagnostics) {
  Plan plan;
  const std::string kind = input::as_string(*find(fabric, "kind"));
  plan.rails = kind == "rails";
  const auto count = [&](const char* name, std::size_t otherwise) {
    const auto value = find(fabric, name);
    return value ? static_cast<std::size_t>(input::as_count(*value)) : otherwise;
  };
  plan.leaves = count("leaves", plan.rails ? widest_host(topology) : 1);
  plan.spines = count("spines", kind == "single-switch" ? 0 : 1);
  if (const auto rate = find(fabric, "host_link")) plan.host_link = input::as_rate(*rate);
  if (const auto rate = find(fabric, "uplink")) plan.uplink = input::as_rate(*rate);
  if (plan.leaves > kMostFabricLinks / std::max<std::size_t>(plan.spines, 1)) {
    report(diagnostics, fabric,
           fmt::format("{} leaves and {} spines have {} links", plan.leaves, plan.spines,
                       plan.leaves * plan.spines),
           fmt::format("at most {} links between leaves and spines", kMostFabricLinks));
    plan.leaves = plan.spines = 1;
  }
  if (kind == "single-switch" && (plan.leaves > 1 || plan.spines > 0)) {
    report(diagnostics, fabric, "a single switch has one leaf and no spine",
           "\"kind\": \"leaf-spine\"");
  }
  if (const auto name = find(fabric, "switch")) {
    const auto* model = look_up(catalog.switches, *name, "switch", diagnostics);
    if (model != nullptr && model->latency) plan.switch_latency = model->latency->value;
  }
  return plan;
}

/// The leaf of a host's n-th NIC, from 0.
std::size_t leaf_of(const Plan& plan, std::size_t host, std::size_t hosts, std::size_t nic,
                    const std::optional<Value>& said, Diagnostics& diagnostics) {
  if (plan.rails) return nic % plan.leaves;
  if (!said) return host * plan.leaves / hosts;
  const auto leaf = static_cast<std::size_t>(input::as_count(*said));
  if (leaf <= plan.leaves) return leaf - 1;
  report(diagnostics, *said, fmt::format("leaf {} of a fabric with {}", leaf, plan.leaves));
  return 0;
}

std::vector<Vertex> add_switches(Topology& topology, NodeKind kind, const char* word,
                                 std::size_t count) {
  std::vector<Vertex> vertices;
  for (std::size_t i = 0; i < count; ++i) {
    vertices.push_back(topology.add_node(
        {fmt::format("{}{}", word, i + 1), kind, -1, static_cast<std::int32_t>(i), {}}));
  }
  return vertices;
}

}  // namespace

std::vector<std::string> build_fabric(Topology& topology, const Catalog& catalog,
                                      const std::optional<Value>& fabric,
                                      const std::vector<std::optional<Value>>& leaf_of_host,
                                      Diagnostics& diagnostics) {
  std::vector<std::string> assumptions;
  const Plan plan = fabric ? read_plan(topology, catalog, *fabric, diagnostics) : Plan{};
  if (!fabric && topology.hosts.size() > 1) {
    assumptions.emplace_back("fabric not given: one non-blocking switch without latency");
  }
  const auto leaves = add_switches(topology, NodeKind::kLeaf, "leaf", plan.leaves);
  const auto spines = add_switches(topology, NodeKind::kSpine, "spine", plan.spines);

  std::vector<BytesPerSecond> towards_hosts(plan.leaves);
  for (std::size_t h = 0; h < topology.hosts.size(); ++h) {
    for (std::size_t n = 0; n < topology.hosts[h].nics.size(); ++n) {
      const HostNic nic = topology.hosts[h].nics[n];
      const std::size_t leaf =
          leaf_of(plan, h, topology.hosts.size(), n, leaf_of_host.at(h), diagnostics);
      const BytesPerSecond rate = std::min(nic.port_rate, plan.host_link.value_or(nic.port_rate));
      topology.connect(nic.vertex, leaves[leaf], LinkKind::kNicPort, rate, nic.payload_share,
                       nic.latency, nic.source);
      towards_hosts[leaf] += rate;
    }
  }
  for (std::size_t l = 0; l < leaves.size(); ++l) {
    for (const Vertex spine : spines) {
      const BytesPerSecond balanced{towards_hosts[l].count() /
                                    static_cast<std::int64_t>(spines.size())};
      topology.connect(leaves[l], spine, LinkKind::kFabric, plan.uplink.value_or(balanced), 1.0,
                       plan.switch_latency, plan.uplink ? "scenario" : "not oversubscribed");
    }
  }
  if (fabric && plan.spines > 0 && !plan.uplink) {
    assumptions.emplace_back("uplinks not given: leaves are not oversubscribed");
  }
  return assumptions;
}

}  // namespace vgsim::topology
