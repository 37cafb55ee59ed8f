#include "models/collectives/nccl/search/capacity.hpp"

#include <algorithm>
#include <cstdint>

namespace vgsim::collectives::nccl {
namespace {

/// Rounds half away from zero. The sum is exact in double.
float rounded(float value) {
  const double away = static_cast<double>(value) + (value < 0 ? -0.5 : 0.5);
  return static_cast<float>(static_cast<std::int64_t>(away));
}

void subtract(float& amount, float bandwidth) {
  amount = rounded((amount - bandwidth) * 1000.0F) / 1000.0F;
}

bool is_intel(const GraphCpu& cpu) {
  return cpu.arch == CpuArch::kX86 && cpu.vendor == CpuVendor::kIntel;
}

/// Intel's root complexes forward between their ports at less than a link's speed.
bool crosses_intel_root(const Graph& graph, NodeId from, const Path& path) {
  return path.type == PathType::kPhb && graph.nodes[from].type == NodeType::kGpu &&
         std::any_of(path.links.begin(), path.links.end(), [&](LinkId id) {
           const NodeId to = graph.links[id].to;
           return graph.nodes[to].type == NodeType::kCpu && is_intel(graph.cpu(to));
         });
}

}  // namespace

Capacity::Capacity(const Connected& connected, const Rules& rules) : graph_(connected.graph) {
  std::vector<NodeId> nodes;
  for (const GraphGpu& gpu : graph_.gpus) nodes.push_back(gpu.node);
  for (const GraphNet& net : graph_.nets) nodes.push_back(net.node);
  nodes.insert(nodes.end(), graph_.nv_switches.begin(), graph_.nv_switches.end());
  gpus_ = static_cast<Point>(graph_.gpus.size());
  nets_ = static_cast<Point>(graph_.nets.size());
  points_ = static_cast<Point>(nodes.size());
  for (const NodeId from : nodes) {
    for (const NodeId to : nodes) add_way(from, connected.paths.at(from, to), rules);
  }
  for (const Link& link : graph_.links) {
    links_.push_back(link.bandwidth);
    float kept = link.bandwidth;
    subtract(kept, 0);
    even_ = even_ && kept == link.bandwidth;
  }
  for (const GraphNet& net : graph_.nets) net_left_.push_back(net.bandwidth);
  for (const GraphGpu& gpu : graph_.gpus) {
    std::vector<LinkId>& both = pci_.emplace_back();
    const std::vector<LinkId>& links = graph_.nodes[gpu.device].links;
    const auto pci = std::find_if(links.begin(), links.end(), [&](LinkId id) {
      return graph_.links[id].type == LinkType::kPci;
    });
    if (pci != links.end()) both = {*pci, graph_.reverse(*pci)};
  }
}

void Capacity::add_way(NodeId from, const Path& path, const Rules& rules) {
  ways_.push_back(
      {path.type, path.bandwidth, path.hops(), static_cast<std::uint32_t>(steps_.size()), false});
  const bool overhead = crosses_intel_root(graph_, from, path);
  const bool starts_at_gpu = graph_.nodes[from].type == NodeType::kGpu;
  std::vector<LinkId> charged;
  for (const LinkId id : path.links) {
    const Link& link = graph_.links[id];
    const GraphNode& end = graph_.nodes[link.to];
    const bool nvlink_to_cpu = end.type == NodeType::kCpu && link.type == LinkType::kNvLink;
    Step step;
    step.link = id;
    step.reverse = graph_.reverse(id);
    step.pci_overhead = overhead && link.type == LinkType::kPci;
    // Up to Volta, what a NIC writes into a GPU slows what the GPU writes.
    step.back_eighth = end.sm != 0 && end.sm < 80 && !starts_at_gpu;
    step.back_full =
        nvlink_to_cpu && (!rules.power_only_reverse || graph_.cpu(link.to).arch == CpuArch::kPower);
    steps_.push_back(step);
    charged.push_back(step.link);
    if (step.back_eighth || step.back_full) charged.push_back(step.reverse);
  }
  std::sort(charged.begin(), charged.end());
  ways_.back().simple = std::adjacent_find(charged.begin(), charged.end()) == charged.end();
}

Capacity::Charge Capacity::charge_of(const Step& step, float bandwidth) {
  Charge charge{step.pci_overhead ? bandwidth * 6 / 5 : bandwidth, 0};
  if (step.back_eighth) charge.backward += charge.forward / 8;
  if (step.back_full) charge.backward += charge.forward;
  return charge;
}

bool Capacity::fits(const Way& way, float bandwidth) const {
  const Step* const first = steps_.data() + way.first_step;
  return std::all_of(first, first + way.hops, [&](const Step& step) {
    const Charge charge = charge_of(step, bandwidth);
    return links_[step.link] >= charge.forward &&
           (charge.backward == 0 || links_[step.reverse] >= charge.backward);
  });
}

int Capacity::walk(const Way& way, int steps, float bandwidth) {
  for (int i = 0; i < steps; ++i) {
    const Step& step = steps_[way.first_step + static_cast<std::uint32_t>(i)];
    const Charge charge = charge_of(step, bandwidth);
    if (links_[step.link] < charge.forward) return i;
    if (charge.backward != 0) {
      if (links_[step.reverse] < charge.backward) return i;
      subtract(links_[step.reverse], charge.backward);
    }
    subtract(links_[step.link], charge.forward);
  }
  return steps;
}

bool Capacity::take(const Way& way, float bandwidth) {
  if (even_ && way.simple && !fits(way, bandwidth)) return false;
  const int taken = walk(way, way.hops, bandwidth);
  if (taken == way.hops) return true;
  static_cast<void>(walk(way, taken, -bandwidth));
  return false;
}

void Capacity::give_back(const Way& way, float bandwidth) {
  static_cast<void>(walk(way, way.hops, -bandwidth));
}

float Capacity::pci_left(int gpu) const {
  const std::vector<LinkId>& both = pci_[static_cast<std::size_t>(gpu)];
  return both.empty() ? -1 : std::min(links_[both[0]], links_[both[1]]);
}

PathType Capacity::effective_limit(PathType limit, bool intra) const {
  PathType found = PathType::kLoc;
  for (Point from = 0; from < points_; ++from) {
    for (Point to = 0; to < points_; ++to) {
      const PathType type = way(from, to).type;
      const bool is_intra = !is_net(from) && !is_net(to);
      if (is_intra == intra && type <= limit) found = std::max(found, type);
    }
  }
  return found;
}

void Capacity::change_net(int net, float bandwidth) {
  const GraphNet& changed = graph_.nets[static_cast<std::size_t>(net)];
  for (std::size_t other = 0; other < graph_.nets.size(); ++other) {
    if (graph_.nets[other].guid == changed.guid && graph_.nets[other].port == changed.port) {
      net_left_[other] += bandwidth;
    }
  }
}

}  // namespace vgsim::collectives::nccl
