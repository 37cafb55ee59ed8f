#include "topology/graph.hpp"

#include <fmt/core.h>

#include <utility>

namespace vgsim::topology {

const char* to_string(NodeKind kind) {
  switch (kind) {
    case NodeKind::kSocket:
      return "socket";
    case NodeKind::kMemory:
      return "memory";
    case NodeKind::kRootComplex:
      return "root-complex";
    case NodeKind::kPcieSwitch:
      return "pcie-switch";
    case NodeKind::kGpu:
      return "gpu";
    case NodeKind::kNvSwitch:
      return "nvswitch";
    case NodeKind::kNic:
      return "nic";
    case NodeKind::kStorage:
      return "storage";
  }
  return "?";
}

const char* to_string(LinkKind kind) {
  switch (kind) {
    case LinkKind::kNvLink:
      return "nvlink";
    case LinkKind::kPcie:
      return "pcie";
    case LinkKind::kOnDie:
      return "on-die";
    case LinkKind::kSocketLink:
      return "socket-link";
    case LinkKind::kMemoryBus:
      return "memory";
    case LinkKind::kStorage:
      return "storage";
    case LinkKind::kRootPort:
      return "root-port";
    case LinkKind::kNicPort:
      return "nic";
    case LinkKind::kFabric:
      return "fabric";
    case LinkKind::kNicFunction:
      return "nic-function";
    case LinkKind::kCpu:
      return "cpu";
  }
  return "?";
}

Vertex Topology::add_node(Node node) { return boost::add_vertex(std::move(node), graph); }

LinkResourceIndex Topology::add_resource(LinkResource resource) {
  resources.push_back(std::move(resource));
  return static_cast<LinkResourceIndex>(resources.size() - 1);
}

void Topology::connect(Vertex a, Vertex b, LinkKind kind, BytesPerSecond rate_per_direction,
                       double payload_share, SimTime latency, const std::string& source) {
  const auto one_way = [&](Vertex from, Vertex to) {
    return add_resource({fmt::format("{} -> {}", graph[from].name, graph[to].name), kind,
                         rate_per_direction, payload_share, source});
  };
  const LinkResourceIndex a_to_b = one_way(a, b);
  connect_through(a, b, kind, latency, a_to_b, one_way(b, a));
}

void Topology::set_pcie(Vertex a, Vertex b, PcieWidth width, std::optional<RootPort> root) {
  for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}}) {
    Link& link = graph[boost::edge(from, to, graph).first];
    link.pcie = width;
    link.root = root;
  }
}

void Topology::set_nvlinks(Vertex a, Vertex b, std::int64_t links) {
  graph[boost::edge(a, b, graph).first].nvlinks = links;
  graph[boost::edge(b, a, graph).first].nvlinks = links;
}

void Topology::connect_half_duplex(Vertex a, Vertex b, LinkKind kind, BytesPerSecond rate,
                                   double payload_share, SimTime latency,
                                   const std::string& source) {
  const LinkResourceIndex shared = add_resource({graph[b].name, kind, rate, payload_share, source});
  connect_through(a, b, kind, latency, shared, shared);
}

void Topology::connect_unlimited(Vertex a, Vertex b, LinkKind kind, SimTime latency) {
  boost::add_edge(a, b, Link{kind, latency, std::nullopt}, graph);
  boost::add_edge(b, a, Link{kind, latency, std::nullopt}, graph);
}

void Topology::connect_through(Vertex a, Vertex b, LinkKind kind, SimTime latency,
                               LinkResourceIndex a_to_b, LinkResourceIndex b_to_a) {
  boost::add_edge(a, b, Link{kind, latency, a_to_b}, graph);
  boost::add_edge(b, a, Link{kind, latency, b_to_a}, graph);
}

}  // namespace vgsim::topology
