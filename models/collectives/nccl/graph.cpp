#include "models/collectives/nccl/graph.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>

namespace vgsim::collectives::nccl {
namespace {

double socket_bandwidth(const Constants& constants, const GraphCpu& cpu) {
  if (cpu.arch == CpuArch::kPower) return constants.power9;
  if (cpu.arch == CpuArch::kArm) return constants.arm;
  if (cpu.arch != CpuArch::kX86) return constants.local;
  switch (cpu.vendor) {
    case CpuVendor::kIntel:
      switch (cpu.model) {
        case CpuModel::kEmeraldRapids:
          return constants.intel_emerald_rapids;
        case CpuModel::kGraniteRapids:
          return constants.intel_granite_rapids;
        case CpuModel::kSapphireRapids:
          return constants.intel_sapphire_rapids;
        case CpuModel::kSkylake:
          return constants.intel_skylake;
        default:
          return constants.intel_broadwell;
      }
    case CpuVendor::kAmd:
      if (cpu.model == CpuModel::kZen5) return constants.amd_zen5;
      return cpu.model == CpuModel::kZen3 ? constants.amd_zen3_4 : constants.amd;
    case CpuVendor::kZhaoxin:
      return cpu.model == CpuModel::kYongfeng ? constants.zhaoxin_yongfeng : constants.zhaoxin;
    case CpuVendor::kOther:
      break;
  }
  return constants.local;
}

/// Generation of a Broadcom switch that appears as two levels; 0 for any other device.
int broadcom_generation(std::uint64_t device, std::uint64_t level, const Rules& rules) {
  constexpr std::uint64_t kMask = ~std::uint64_t{0xfff};
  if ((device & kMask) == 0x1000c0101000a000u) return 4;
  const bool gen5 = (device & kMask) == (0x1000c03010000000u | (level << 12));
  return gen5 && rules.bcm_gen5_flattened ? 5 : 0;
}

class GraphBuilder {
 public:
  GraphBuilder(const std::vector<int>& ranks, bool with_nets, const Rules& rules,
               const Constants& constants)
      : ranks_(ranks), with_nets_(with_nets), rules_(rules), constants_(constants) {}

  Graph build(const Machine& machine) {
    graph_.pcie_p2p = machine.pcie_p2p;
    graph_.multicast = machine.multicast;
    graph_.partial = machine.partial;
    for (const MachineCpu& cpu : machine.cpus) {
      if (holds_anything(cpu)) add_cpu(cpu);
    }
    add_nvlinks();
    flatten_switches();
    connect_cpus();
    for (const GraphCpu& cpu : graph_.cpus) put_uplinks_last(cpu.node, cpu.node);
    return std::move(graph_);
  }

 private:
  NodeId add_node(NodeType type, std::size_t index) {
    graph_.nodes.push_back({type, static_cast<std::uint32_t>(index), 0, {}});
    return static_cast<NodeId>(graph_.nodes.size() - 1);
  }

  /// NVLinks to the same device add up. Links stay sorted by bandwidth, fastest first.
  void connect(NodeId from, NodeId to, LinkType type, double bandwidth) {
    std::vector<LinkId>& links = graph_.nodes[from].links;
    auto at = std::find_if(links.begin(), links.end(), [&](LinkId id) {
      return graph_.links[id].to == to && graph_.links[id].type == type;
    });
    if (at == links.end()) {
      graph_.links.push_back({type, from, to, 0});
      links.push_back(static_cast<LinkId>(graph_.links.size() - 1));
      at = links.end() - 1;
    }
    Link& link = graph_.links[*at];
    link.bandwidth += static_cast<float>(bandwidth);
    const auto place = std::find_if(
        links.begin(), at, [&](LinkId id) { return graph_.links[id].bandwidth < link.bandwidth; });
    std::rotate(place, at, at + 1);
  }

  void connect_both(NodeId a, NodeId b, LinkType type, double bandwidth) {
    connect(a, b, type, bandwidth);
    connect(b, a, type, bandwidth);
  }

  bool is_ours(const MachineGpu& gpu) const {
    return gpu.rank &&
           (ranks_.empty() || std::find(ranks_.begin(), ranks_.end(), *gpu.rank) != ranks_.end());
  }

  static bool holds_anything(const MachinePci& pci) {
    return (pci.gpu && pci.gpu->rank) || !pci.nets.empty() ||
           std::any_of(pci.children.begin(), pci.children.end(),
                       [](const MachinePci& child) { return holds_anything(child); });
  }

  static bool holds_anything(const MachineCpu& cpu) {
    return !cpu.nets.empty() ||
           std::any_of(cpu.pcis.begin(), cpu.pcis.end(),
                       [](const MachinePci& pci) { return holds_anything(pci); });
  }

  void add_cpu(const MachineCpu& cpu) {
    const NodeId node = add_node(NodeType::kCpu, graph_.cpus.size());
    graph_.cpus.push_back({node, cpu.arch, cpu.vendor, cpu.model});
    for (const MachinePci& pci : cpu.pcis) add_pci(pci, node);
    if (!cpu.nets.empty()) {
      const auto [place, is_new] = nics_.try_emplace(std::string(), NodeId{0});
      if (is_new) {
        place->second = add_node(NodeType::kNic, nics_.size() - 1);
        connect_both(node, place->second, LinkType::kPci, constants_.local);
      }
      for (const MachineNet& net : cpu.nets) add_net(net, place->second);
    }
  }

  void add_pci(const MachinePci& pci, NodeId parent) {
    if (!holds_anything(pci)) return;
    if (pci.gpu) {
      if (pci.gpu->rank) add_gpu(pci, parent);
    } else if (pci.has_nic) {
      add_nic(pci, parent);
    } else if (pci.bridge) {
      const NodeId node = add_node(NodeType::kPci, switches_.size());
      switches_.push_back(node);
      device_ids_[node] = pci.device;
      for (const MachinePci& child : pci.children) add_pci(child, node);
      connect_both(node, parent, LinkType::kPci, pci.bandwidth);
    }
  }

  /// Before devices had separate nodes, NCCL removed a GPU of another NCCL node of the host
  /// with all its links.
  void add_gpu(const MachinePci& pci, NodeId parent) {
    const MachineGpu& gpu = *pci.gpu;
    if (!is_ours(gpu) && !rules_.device_nodes) return;
    NodeId device = 0;
    if (rules_.device_nodes) {
      device = add_node(NodeType::kDevice, graph_.devices.size());
      graph_.devices.push_back(device);
    } else {
      device = add_node(NodeType::kGpu, graph_.gpus.size());
    }
    graph_.nodes[device].sm = gpu.sm;
    machine_gpus_.push_back({&pci, device, parent});
    connect_both(device, parent, LinkType::kPci, pci.bandwidth);
    if (!is_ours(gpu)) return;
    NodeId node = device;
    if (rules_.device_nodes) {
      node = add_node(NodeType::kGpu, graph_.gpus.size());
      connect_both(node, device, LinkType::kLocal, constants_.local);
    }
    graph_.gpus.push_back(
        {node, device, *gpu.rank, gpu.dev, gpu.sm, gpu.gdr, gpu.nvlink_island, gpu.pcie_island});
  }

  /// The functions of a card form one NIC.
  void add_nic(const MachinePci& pci, NodeId parent) {
    const std::string card = pci.bus_id.substr(0, pci.bus_id.size() - 1);
    const auto [place, is_new] = nics_.try_emplace(card, NodeId{0});
    if (is_new) place->second = add_node(NodeType::kNic, nics_.size() - 1);
    const NodeId node = place->second;
    for (const MachineNet& net : pci.nets) add_net(net, node);
    if (is_new) connect_both(node, parent, LinkType::kPci, pci.bandwidth);
  }

  void add_net(const MachineNet& net, NodeId nic) {
    if (!with_nets_) return;
    const NodeId node = add_node(NodeType::kNet, graph_.nets.size());
    graph_.nets.push_back({node, net.dev, static_cast<float>(net.bandwidth), net.port, net.guid,
                           static_cast<float>(net.latency), net.gdr, net.coll, net.out_of_reach});
    connect_both(nic, node, LinkType::kNet, net.bandwidth);
  }

  struct PlacedGpu {
    const MachinePci* pci;
    NodeId device, parent;
  };

  void add_nvlinks() {
    for (const PlacedGpu& gpu : machine_gpus_) {
      for (const MachineNvLink& link : gpu.pci->gpu->nvlinks) add_nvlink(gpu, link);
    }
    for (const PlacedGpu& gpu : machine_gpus_) {
      if (gpu.pci->gpu->c2c <= 0) continue;
      connect_both(gpu.device, cpu_of(gpu), rules_.c2c_type ? LinkType::kC2c : LinkType::kNvLink,
                   gpu.pci->gpu->c2c);
    }
  }

  NodeId cpu_of(const PlacedGpu& gpu) const {
    NodeId node = gpu.parent;
    while (graph_.nodes[node].type != NodeType::kCpu) {
      // A switch is connected to its parent after all its children.
      NodeId up = node;
      for (const LinkId id : graph_.nodes[node].links) {
        if (graph_.links[id].type == LinkType::kPci && graph_.links[id].to < node) {
          up = graph_.links[id].to;
        }
      }
      if (up == node) throw std::logic_error("a GPU without a CPU");
      node = up;
    }
    return node;
  }

  void add_nvlink(const PlacedGpu& gpu, const MachineNvLink& link) {
    const double bandwidth = link.count * nvlink_bandwidth(constants_, gpu.pci->gpu->sm);
    if (link.end == NvLinkEnd::kGpu) {
      const auto target =
          std::find_if(machine_gpus_.begin(), machine_gpus_.end(),
                       [&](const PlacedGpu& other) { return other.pci->bus_id == link.target; });
      // The other end lists the link for its own direction.
      if (target != machine_gpus_.end()) {
        connect(gpu.device, target->device, LinkType::kNvLink, bandwidth);
      }
      return;
    }
    if (link.end == NvLinkEnd::kSwitch && graph_.nv_switches.empty()) {
      graph_.nv_switches.push_back(add_node(NodeType::kNvSwitch, 0));
    }
    const NodeId end = link.end == NvLinkEnd::kSwitch ? graph_.nv_switches.front() : cpu_of(gpu);
    connect_both(gpu.device, end, LinkType::kNvLink, bandwidth);
  }

  /// Broadcom switches show a second level that does not limit bandwidth.
  void flatten_switches() {
    for (const NodeId node : switches_) {
      const int generation = broadcom_generation(device_ids_[node], 0, rules_);
      if (generation == 0 || gone_[node]) continue;
      std::vector<LinkId> kept, adopted;
      for (const LinkId id : graph_.nodes[node].links) {
        const NodeId below = graph_.links[id].to;
        const bool second_level = graph_.nodes[below].type == NodeType::kPci && below > node &&
                                  broadcom_generation(device_ids_[below], 1, rules_) == generation;
        if (!second_level) {
          kept.push_back(id);
          continue;
        }
        gone_[below] = true;
        for (const LinkId down : graph_.nodes[below].links) {
          if (graph_.links[down].to != node) adopted.push_back(down);
        }
        graph_.nodes[below].links.clear();
      }
      for (const LinkId id : adopted) {
        graph_.links[graph_.reverse(id)].to = node;
        graph_.links[id].from = node;
        kept.push_back(id);
      }
      graph_.nodes[node].links = std::move(kept);
    }
  }

  void connect_cpus() {
    for (const GraphCpu& a : graph_.cpus) {
      for (const GraphCpu& b : graph_.cpus) {
        if (a.node == b.node) continue;
        connect(a.node, b.node, LinkType::kSys, socket_bandwidth(constants_, a));
      }
    }
  }

  /// NVLinks, then PCI downwards, then PCI upwards: the order in which equal paths are found.
  void put_uplinks_last(NodeId node, NodeId above) {
    std::vector<LinkId>& links = graph_.nodes[node].links;
    if (node != above) {
      const auto up = std::find_if(links.begin(), links.end(),
                                   [&](LinkId id) { return graph_.links[id].to == above; });
      std::rotate(up, up + 1, links.end());
    }
    const std::vector<LinkId> downwards = links;
    for (const LinkId id : downwards) {
      const Link& link = graph_.links[id];
      if (link.type == LinkType::kPci && link.to != above) put_uplinks_last(link.to, node);
    }
  }

  const std::vector<int>& ranks_;
  bool with_nets_;
  const Rules& rules_;
  const Constants& constants_;
  Graph graph_;
  std::vector<NodeId> switches_;
  std::map<NodeId, std::uint64_t> device_ids_;
  std::map<NodeId, bool> gone_;
  std::map<std::string, NodeId> nics_;  ///< by bus id without the function
  std::vector<PlacedGpu> machine_gpus_;
};

/// NCCL reads past the end of a list if a link has no reverse direction.
void check_nvlinks(const Graph& graph) {
  for (const Link& link : graph.links) {
    if (link.type != LinkType::kNvLink) continue;
    const std::vector<LinkId>& back = graph.nodes[link.to].links;
    const bool returns = std::any_of(back.begin(), back.end(), [&](LinkId id) {
      return graph.links[id].to == link.from && graph.links[id].type == link.type;
    });
    if (returns) continue;
    const auto gpu = std::find_if(graph.gpus.begin(), graph.gpus.end(),
                                  [&](const GraphGpu& g) { return g.device == link.from; });
    throw std::invalid_argument("the NVLinks of GPU " +
                                (gpu == graph.gpus.end() ? "?" : std::to_string(gpu->dev)) +
                                " are not listed by the GPU at their other end");
  }
}

}  // namespace

LinkId Graph::reverse(LinkId link) const {
  for (const LinkId id : nodes[links[link].to].links) {
    if (links[id].to == links[link].from && links[id].type == links[link].type) return id;
  }
  throw std::logic_error("a link without a reverse direction");
}

int Graph::min_sm() const {
  int least = std::numeric_limits<int>::max();
  for (const GraphGpu& gpu : gpus) least = std::min(least, gpu.sm);
  return least;
}

Graph build_graph(const Machine& machine, const std::vector<int>& ranks, bool with_nets,
                  const Rules& rules, const Constants& constants) {
  Graph graph = GraphBuilder(ranks, with_nets, rules, constants).build(machine);
  check_nvlinks(graph);
  return graph;
}

}  // namespace vgsim::collectives::nccl
