#include "models/collectives/nccl/search/capacity.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace vgsim::collectives::nccl {
namespace {

/// Rounds half away from zero. The sum is exact in double.
std::int64_t thousandths(float bandwidth) {
  const float value = bandwidth * 1000.0F;
  return static_cast<std::int64_t>(static_cast<double>(value) + (value < 0 ? -0.5 : 0.5));
}

float in_full(std::int64_t thousandths) { return static_cast<float>(thousandths) / 1000.0F; }

/// Below this value, sums of two floats round to the sums of their thousandths.
constexpr float kMostWhole = 1000;

bool is_whole(float bandwidth) {
  return bandwidth < kMostWhole && in_full(thousandths(bandwidth)) == bandwidth;
}

/// Multiples of 1/8 GB/s and all sums of them are exact in a float.
constexpr std::int32_t kEighth = 125;
constexpr float kMostEighths = 16000;

bool is_in_eighths(float bandwidth) {
  return bandwidth < kMostEighths &&
         bandwidth * 8 == static_cast<float>(static_cast<int>(bandwidth * 8));
}

bool is_intel(const GraphCpu& cpu) {
  return cpu.arch == CpuArch::kX86 && cpu.vendor == CpuVendor::kIntel;
}

/// Intel's root complexes forward between their ports below link speed.
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
  prices_.resize(ways_.size());
  for (const Link& link : graph_.links) {
    const bool counts = is_whole(link.bandwidth) || is_in_eighths(link.bandwidth);
    whole_.push_back(counts ? static_cast<std::int32_t>(thousandths(link.bandwidth)) : kInexact);
    inexact_.push_back(link.bandwidth);
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
  ways_.push_back({path.type, path.bandwidth, path.hops(),
                   static_cast<std::uint32_t>(steps_.size()), false, false});
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
    // Up to Volta, a NIC's writes into a GPU slow the GPU's own writes.
    step.back_eighth = end.sm != 0 && end.sm < 80 && !starts_at_gpu;
    step.back_full =
        nvlink_to_cpu && (!rules.power_only_reverse || graph_.cpu(link.to).arch == CpuArch::kPower);
    steps_.push_back(step);
    charged.push_back(step.link);
    ways_.back().wide = ways_.back().wide || !(link.bandwidth < kMostWhole);
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

void Capacity::find_price(const Way& way, float bandwidth, Price& price) const {
  price.bandwidth = bandwidth;
  price.counts = true;
  price.charges.clear();
  const auto add = [&](LinkId link, float amount) {
    price.counts = price.counts && is_whole(amount);
    if (!price.counts) return;
    price.charges.push_back({link, static_cast<std::int32_t>(thousandths(amount))});
    if (way.wide) price.counts = price.charges.back().thousandths % kEighth == 0;
  };
  for (int i = 0; i < way.hops; ++i) {
    const Step& step = steps_[way.first_step + static_cast<std::uint32_t>(i)];
    const Charge charge = charge_of(step, bandwidth);
    if (charge.backward != 0) add(step.reverse, charge.backward);
    add(step.link, charge.forward);
  }
}

const Capacity::Price* Capacity::counted(const Way& way, float bandwidth) {
  Price& price = prices_[static_cast<std::size_t>(&way - ways_.data())];
  if (price.bandwidth != bandwidth) find_price(way, bandwidth, price);
  return price.counts && (!way.wide || wide_in_eighths_) ? &price : nullptr;
}

float Capacity::left(LinkId link) const {
  return whole_[link] == kInexact ? inexact_[link] : in_full(whole_[link]);
}

void Capacity::charge(LinkId link, float bandwidth) {
  whole_[link] = static_cast<std::int32_t>(thousandths(left(link) - bandwidth));
  const bool wide = !(graph_.links[link].bandwidth < kMostWhole);
  if (wide && whole_[link] % kEighth != 0) wide_in_eighths_ = false;
}

std::vector<float> Capacity::links_left() const {
  std::vector<float> all;
  for (LinkId link = 0; link < graph_.links.size(); ++link) all.push_back(left(link));
  return all;
}

void Capacity::add_left(std::vector<std::int32_t>& state) const {
  state.push_back(wide_in_eighths_ ? 1 : 0);
  state.insert(state.end(), whole_.begin(), whole_.end());
  for (const float left : net_left_) state.push_back(std::bit_cast<std::int32_t>(left));
}

int Capacity::walk(const Way& way, int steps, float bandwidth) {
  ++walks_;
  for (int i = 0; i < steps; ++i) {
    const Step& step = steps_[way.first_step + static_cast<std::uint32_t>(i)];
    const Charge cost = charge_of(step, bandwidth);
    if (left(step.link) < cost.forward) return i;
    if (cost.backward != 0) {
      if (left(step.reverse) < cost.backward) return i;
      charge(step.reverse, cost.backward);
    }
    charge(step.link, cost.forward);
  }
  return steps;
}

bool Capacity::take(const Way& way, float bandwidth) {
  if (const Price* price = counted(way, bandwidth)) {
    const auto short_of =
        std::find_if(price->charges.begin(), price->charges.end(),
                     [&](const WholeCharge& each) { return whole_[each.link] < each.thousandths; });
    if (short_of == price->charges.end() && way.simple) {
      for (const WholeCharge& each : price->charges) whole_[each.link] -= each.thousandths;
      return true;
    }
    if (short_of != price->charges.end() && whole_[short_of->link] != kInexact) return false;
  }
  const int taken = walk(way, way.hops, bandwidth);
  if (taken == way.hops) return true;
  static_cast<void>(walk(way, taken, -bandwidth));
  return false;
}

void Capacity::give_back(const Way& way, float bandwidth) {
  if (const Price* price = counted(way, bandwidth)) {
    for (const WholeCharge& each : price->charges) whole_[each.link] += each.thousandths;
  } else {
    static_cast<void>(walk(way, way.hops, -bandwidth));
  }
}

float Capacity::pci_left(int gpu) const {
  const std::vector<LinkId>& both = pci_[static_cast<std::size_t>(gpu)];
  return both.empty() ? -1 : std::min(left(both[0]), left(both[1]));
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
