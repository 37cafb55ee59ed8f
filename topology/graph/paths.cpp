#include "topology/graph/paths.hpp"

#include <algorithm>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/property_map/property_map.hpp>
#include <limits>
#include <utility>
#include <vector>

#include "topology/graph/device_graph.hpp"

namespace vgsim::topology {
namespace {

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

std::int64_t width_of(const Topology& topology, const Edge& edge) {
  const auto& resource = topology.link(edge).resource;
  if (!resource) return kUnlimited;
  const LinkResource& carried = topology.resources[*resource];
  return static_cast<std::int64_t>(static_cast<double>(carried.line_rate.count()) *
                                   carried.payload_share);
}

struct NoteReached : boost::default_dijkstra_visitor {
  explicit NoteReached(std::vector<Vertex>& into) : reached(&into) {}
  template <class AnyGraph>
  void discover_vertex(Vertex v, const AnyGraph&) const {
    reached->push_back(v);
  }
  std::vector<Vertex>* reached;
};

/// Kinds of devices at which a path can only begin or end.
bool is_endpoint_only(NodeKind kind) {
  return kind == NodeKind::kNic || kind == NodeKind::kMemory || kind == NodeKind::kStorage;
}

}  // namespace

const char* to_string(PathClass path_class) {
  switch (path_class) {
    case PathClass::kLoc:
      return "LOC";
    case PathClass::kNvl:
      return "NVL";
    case PathClass::kNvb:
      return "NVB";
    case PathClass::kPix:
      return "PIX";
    case PathClass::kPxb:
      return "PXB";
    case PathClass::kPhb:
      return "PHB";
    case PathClass::kSys:
      return "SYS";
    case PathClass::kNet:
      return "NET";
    case PathClass::kDis:
      return "DIS";
  }
  return "?";
}

SimTime Path::latency(const Topology& topology) const {
  SimTime sum{};
  for (const Edge& edge : links) sum += topology.link(edge).latency;
  return sum;
}

bool HostPaths::better(const Label& a, const Label& b) {
  if (a.path_class != b.path_class) return a.path_class < b.path_class;
  if (a.width != b.width) return a.width > b.width;
  return a.hops < b.hops;
}

std::optional<HostPaths::Label> HostPaths::extend(const Label& label, const Edge& edge) const {
  const NodeKind via = topology_->node(edge.source).kind;
  const NodeKind target = topology_->node(edge.target).kind;
  const LinkKind kind = topology_->link(edge).kind;
  const bool at_start = edge.source == from_;
  if (is_endpoint_only(via) && !at_start) return std::nullopt;

  Label next = label;
  next.width = std::min(label.width, width_of(*topology_, edge));
  next.hops = label.hops + 1;
  next.last = edge;

  if (kind == LinkKind::kNvLink) {
    if (travel_ == Travel::kPcieOnly || label.path_class > PathClass::kNvl) return std::nullopt;
    const bool through_gpu = via == NodeKind::kGpu && !at_start;
    next.path_class = through_gpu ? PathClass::kNvb : PathClass::kNvl;
    return next;
  }
  if (via == NodeKind::kGpu && !at_start) return std::nullopt;
  if (via == NodeKind::kNvSwitch) return std::nullopt;

  PathClass step = PathClass::kPix;
  if (target == NodeKind::kPcieSwitch && ++next.switches > 1) step = PathClass::kPxb;
  if (target == NodeKind::kRootComplex || via == NodeKind::kRootComplex) step = PathClass::kPhb;
  if (target == NodeKind::kSocket || via == NodeKind::kSocket) step = PathClass::kPhb;
  if (kind == LinkKind::kSocketLink) step = PathClass::kSys;
  next.path_class = std::max(label.path_class, step);
  return next;
}

HostPaths::HostPaths(const Topology& topology, Vertex from, Travel travel)
    : topology_(&topology), from_(from), travel_(travel) {
  const Label start{PathClass::kLoc, kUnlimited, 0, 0, std::nullopt};
  const Label unreached{};
  const DeviceGraph::Adjacency& graph = topology.graph().adjacency;
  using GraphEdge = DeviceGraph::Adjacency::edge_descriptor;
  const auto extended = [&](const Label& label, const GraphEdge& edge) {
    return extend(label, topology.edges()[graph[edge].index]).value_or(unreached);
  };
  // Labels of all vertices are kept between searches, and only the reached ones are reset. So a
  // search costs as much as its host, not as the cluster.
  thread_local std::vector<Label> labels;
  thread_local std::vector<boost::default_color_type> colors;
  const std::size_t vertices = boost::num_vertices(graph);
  if (labels.size() < vertices) labels.resize(vertices);
  if (colors.size() < vertices) colors.resize(vertices, boost::white_color);
  std::vector<Vertex> reached;
  labels[from] = start;
  boost::dijkstra_shortest_paths_no_init(graph, from, boost::dummy_property_map(), labels.data(),
                                         boost::typed_identity_property_map<GraphEdge>(),
                                         get(boost::vertex_index, graph), &HostPaths::better,
                                         extended, start, NoteReached{reached}, colors.data());
  std::sort(reached.begin(), reached.end());
  for (const Vertex v : reached) {
    labels_.emplace_back(v, std::exchange(labels[v], Label{}));
    colors[v] = boost::white_color;
  }
}

HostPaths::Label HostPaths::label_of(Vertex v) const {
  const auto found =
      std::lower_bound(labels_.begin(), labels_.end(), v,
                       [](const auto& entry, Vertex vertex) { return entry.first < vertex; });
  return found == labels_.end() || found->first != v ? Label{} : found->second;
}

PathClass HostPaths::class_to(Vertex to) const { return label_of(to).path_class; }

Path HostPaths::to(Vertex to) const {
  Path path{class_to(to), {}};
  if (path.path_class == PathClass::kDis) return path;
  for (Vertex v = to; v != from_;) {
    const Edge last = *label_of(v).last;
    path.links.push_back(last);
    v = last.source;
  }
  std::reverse(path.links.begin(), path.links.end());
  return path;
}

bool shares_root_complex(const Topology& topology, Vertex a, Vertex b) {
  return shares_root_complex(topology, HostPaths(topology, a, Travel::kPcieOnly), b);
}

bool shares_root_complex(const Topology& topology, const HostPaths& from, Vertex to) {
  const Path path = from.to(to);
  return path.path_class != PathClass::kDis &&
         std::none_of(path.links.begin(), path.links.end(), [&](const Edge& edge) {
           return topology.node(edge.target).kind == NodeKind::kSocket;
         });
}

}  // namespace vgsim::topology
