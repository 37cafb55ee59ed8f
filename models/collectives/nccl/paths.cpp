#include "models/collectives/nccl/paths.hpp"

#include <algorithm>

namespace vgsim::collectives::nccl {
namespace {

PathType base_type(LinkType type) {
  switch (type) {
    case LinkType::kNvLink:
      return PathType::kNvl;
    case LinkType::kC2c:
      return PathType::kC2c;
    case LinkType::kPci:
      return PathType::kPix;
    case LinkType::kSys:
      return PathType::kSys;
    case LinkType::kLocal:
    case LinkType::kNet:
      break;  // only the path between NIC and GPU counts
  }
  return PathType::kLoc;
}

/// Searches from one node outwards; the paths found lead to that node.
class Outwards {
 public:
  Outwards(const Graph& graph, const Rules& rules, bool nvb, NodeId base, Paths& paths)
      : graph_(graph), rules_(rules), nvb_(nvb), base_(base), paths_(paths) {
    own_device_ = base;
    through_ = rules.device_nodes ? NodeType::kDevice : NodeType::kGpu;
    longest_nvlink_ = 1;
    if (rules.device_nodes && graph.nodes[base].type == NodeType::kGpu) {
      own_device_ = graph.gpus[graph.nodes[base].index].device;
      longest_nvlink_ = 2;
    }
  }

  void run() {
    Path& self = paths_.at(base_, base_);
    self.type = PathType::kLoc;
    self.bandwidth = kLocalBandwidth;
    std::vector<NodeId> ring = {base_};
    while (!ring.empty()) {
      std::vector<NodeId> next;
      for (const NodeId node : ring) {
        for (const LinkId link : graph_.nodes[node].links) {
          if (reaches(node, graph_.links[link]) &&
              std::find(next.begin(), next.end(), graph_.links[link].to) == next.end()) {
            next.push_back(graph_.links[link].to);
          }
        }
      }
      ring = std::move(next);
    }
  }

 private:
  static constexpr float kLocalBandwidth = 5000;

  bool may_pass(NodeId node, const Link& link, const Path& so_far) const {
    if (node == own_device_ || graph_.nodes[node].type != through_) return true;
    const NodeType beyond = graph_.nodes[link.to].type;
    if (rules_.device_nodes && link.type == LinkType::kLocal && beyond == NodeType::kGpu) {
      return true;
    }
    return nvb_ && link.type == LinkType::kNvLink && beyond == through_ &&
           so_far.hops() <= longest_nvlink_;
  }

  /// Whether the node behind the link is reached for the first time or by a better path.
  bool reaches(NodeId node, const Link& link) {
    const Path& so_far = paths_.at(node, base_);
    if (!may_pass(node, link, so_far)) return false;
    Path& path = paths_.at(link.to, base_);
    const float bandwidth = std::min(so_far.bandwidth, link.bandwidth);
    const PathType type = std::max(so_far.type, type_of(node, link, so_far));
    if (!is_better(path, type, bandwidth, so_far.hops())) return false;
    const LinkId first = graph_.reverse(static_cast<LinkId>(&link - graph_.links.data()));
    path.links.assign(1, first);
    path.links.insert(path.links.end(), so_far.links.begin(), so_far.links.end());
    path.bandwidth = bandwidth;
    path.type = type;
    return true;
  }

  bool is_better(const Path& path, PathType type, float bandwidth, int hops_before) const {
    if (!rules_.best_type_paths) {
      return path.bandwidth < bandwidth && (path.bandwidth == 0 || path.hops() > hops_before);
    }
    if (type != path.type) return type < path.type;
    if (bandwidth != path.bandwidth) return bandwidth > path.bandwidth;
    return hops_before + 1 < path.hops();
  }

  PathType type_of(NodeId node, const Link& link, const Path& so_far) const {
    const NodeType here = graph_.nodes[node].type;
    const NodeType there = graph_.nodes[link.to].type;
    if (here == NodeType::kPci && there == NodeType::kPci) return PathType::kPxb;
    if (link.type == LinkType::kPci && (here == NodeType::kCpu || there == NodeType::kCpu)) {
      return PathType::kPhb;
    }
    if (here == through_ && link.type == LinkType::kNvLink && so_far.type == PathType::kNvl &&
        so_far.hops() + 1 > longest_nvlink_) {
      return PathType::kNvb;
    }
    return base_type(link.type);
  }

  const Graph& graph_;
  const Rules& rules_;
  bool nvb_;
  NodeId base_;
  Paths& paths_;
  NodeId own_device_ = 0;
  NodeType through_ = NodeType::kGpu;
  int longest_nvlink_ = 1;
};

}  // namespace

Paths physical_paths(const Graph& graph, const Rules& rules, bool nvb) {
  Paths paths(graph.nodes.size());
  const auto towards = [&](NodeId base) { Outwards(graph, rules, nvb, base, paths).run(); };
  for (const GraphCpu& cpu : graph.cpus) towards(cpu.node);
  for (const NodeId device : graph.devices) towards(device);
  for (const GraphGpu& gpu : graph.gpus) towards(gpu.node);
  for (const GraphNet& net : graph.nets) towards(net.node);
  for (const NodeId nv_switch : graph.nv_switches) towards(nv_switch);
  return paths;
}

PathType joined(PathType a, PathType b, const Rules& rules) {
  const PathType worse = std::max(a, b);
  const PathType better = std::min(a, b);
  if (rules.p2c_type && worse == PathType::kPhb && better == PathType::kC2c) {
    return PathType::kP2c;
  }
  return worse;
}

void divert(Paths& paths, NodeId from, NodeId via, NodeId to, const Rules& rules) {
  const Path& first = paths.at(from, via);
  const Path& second = paths.at(via, to);
  Path path{joined(first.type, second.type, rules), std::min(first.bandwidth, second.bandwidth),
            first.links};
  path.links.insert(path.links.end(), second.links.begin(), second.links.end());
  paths.at(from, to) = std::move(path);
}

}  // namespace vgsim::collectives::nccl
