#include "topology/graph/graph.hpp"

#include <fmt/core.h>

#include <utility>

#include "topology/graph/device_graph.hpp"

namespace vgsim::topology {

Topology::Topology() : graph_(std::make_unique<DeviceGraph>()) {}
Topology::Topology(const Topology& other)
    : hosts(other.hosts),
      resources(other.resources),
      nodes_(other.nodes_),
      edges_(other.edges_),
      links_(other.links_),
      graph_(std::make_unique<DeviceGraph>(*other.graph_)) {}
Topology::Topology(Topology&& other) noexcept = default;
Topology& Topology::operator=(const Topology& other) {
  if (this != &other) *this = Topology(other);
  return *this;
}
Topology& Topology::operator=(Topology&& other) noexcept = default;
Topology::~Topology() = default;

Vertex Topology::add_node(Node node) {
  nodes_.push_back(std::move(node));
  return boost::add_vertex(graph_->adjacency);
}

void Topology::add_edge(Vertex from, Vertex to, Link link) {
  const auto index = static_cast<std::uint32_t>(edges_.size());
  boost::add_edge(from, to, {index}, graph_->adjacency);
  edges_.push_back({from, to, index});
  links_.push_back(std::move(link));
}

std::vector<Edge> Topology::edges_from(Vertex v) const {
  std::vector<Edge> result;
  for (auto [it, end] = boost::out_edges(v, graph_->adjacency); it != end; ++it) {
    result.push_back(edges_[graph_->adjacency[*it].index]);
  }
  return result;
}

std::vector<Edge> Topology::edges_to(Vertex v) const {
  std::vector<Edge> result;
  for (auto [it, end] = boost::in_edges(v, graph_->adjacency); it != end; ++it) {
    result.push_back(edges_[graph_->adjacency[*it].index]);
  }
  return result;
}

std::optional<Edge> Topology::edge(Vertex from, Vertex to) const {
  const auto [edge, exists] = boost::edge(from, to, graph_->adjacency);
  if (!exists) return std::nullopt;
  return edges_[graph_->adjacency[edge].index];
}

Link& Topology::link_between(Vertex from, Vertex to) { return links_[edge(from, to)->index]; }

LinkResourceIndex Topology::add_resource(LinkResource resource) {
  resources.push_back(std::move(resource));
  return static_cast<LinkResourceIndex>(resources.size() - 1);
}

void Topology::connect(Vertex a, Vertex b, LinkKind kind, BytesPerSecond rate_per_direction,
                       double payload_share, SimTime latency, const std::string& source) {
  const auto one_way = [&](Vertex from, Vertex to) {
    return add_resource({fmt::format("{} -> {}", node(from).name, node(to).name), kind,
                         rate_per_direction, payload_share, source});
  };
  const LinkResourceIndex a_to_b = one_way(a, b);
  connect_through(a, b, kind, latency, a_to_b, one_way(b, a));
}

void Topology::set_pcie(Vertex a, Vertex b, PcieWidth width, std::optional<RootPort> root) {
  for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}}) {
    Link& link = link_between(from, to);
    link.pcie = width;
    link.root = root;
  }
}

void Topology::set_nvlinks(Vertex a, Vertex b, std::int64_t links) {
  link_between(a, b).nvlinks = links;
  link_between(b, a).nvlinks = links;
}

void Topology::connect_half_duplex(Vertex a, Vertex b, LinkKind kind, BytesPerSecond rate,
                                   double payload_share, SimTime latency,
                                   const std::string& source) {
  const LinkResourceIndex shared = add_resource({node(b).name, kind, rate, payload_share, source});
  connect_through(a, b, kind, latency, shared, shared);
}

void Topology::connect_unlimited(Vertex a, Vertex b, LinkKind kind, SimTime latency) {
  add_edge(a, b, Link{kind, latency, std::nullopt});
  add_edge(b, a, Link{kind, latency, std::nullopt});
}

void Topology::connect_through(Vertex a, Vertex b, LinkKind kind, SimTime latency,
                               LinkResourceIndex a_to_b, LinkResourceIndex b_to_a) {
  add_edge(a, b, Link{kind, latency, a_to_b});
  add_edge(b, a, Link{kind, latency, b_to_a});
}

}  // namespace vgsim::topology
