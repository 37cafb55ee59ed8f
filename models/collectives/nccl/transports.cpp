#include "models/collectives/nccl/transports.hpp"

#include <algorithm>
#include <stdexcept>

#include "models/collectives/nccl/local_nets.hpp"

namespace vgsim::collectives::nccl {
namespace {

class Connector {
 public:
  Connector(Connected& connected, const Rules& rules, const Settings& settings)
      : graph_(connected.graph),
        paths_(connected.paths),
        out_(connected),
        rules_(rules),
        settings_(settings) {}

  void run() {
    const std::size_t gpus = graph_.gpus.size();
    out_.transports.assign(gpus, std::vector<Transport>(gpus, Transport::kSelf));
    for (std::size_t to = 0; to < gpus; ++to) connect_gpus(to);
    if (rules_.p2c_type) mark_coherent_paths();
    for (std::size_t net = 0; net < graph_.nets.size(); ++net) {
      for (std::size_t gpu = 0; gpu < gpus; ++gpu) connect_net(gpu, net);
    }
    describe();
  }

 private:
  NodeId gpu_node(std::size_t gpu) const { return graph_.gpus[gpu].node; }
  NodeId net_node(std::size_t net) const { return graph_.nets[net].node; }
  const Path& between(std::size_t from, std::size_t to) const {
    return paths_.at(gpu_node(from), gpu_node(to));
  }

  PathType p2p_level() const {
    if (settings_.p2p_level) return *settings_.p2p_level;
    const GraphCpu& cpu = graph_.cpus.front();
    const bool amd = cpu.arch == CpuArch::kX86 && cpu.vendor == CpuVendor::kAmd;
    if (rules_.p2p_through_roots) {
      const bool closed = cpu.arch == CpuArch::kArm ||
                          (cpu.arch == CpuArch::kX86 &&
                           (cpu.vendor == CpuVendor::kIntel || cpu.vendor == CpuVendor::kZhaoxin));
      return closed ? PathType::kPxb : PathType::kSys;
    }
    const std::size_t devices = rules_.device_nodes ? graph_.devices.size() : graph_.gpus.size();
    return amd && devices <= 2 ? PathType::kSys : PathType::kPxb;
  }

  /// Whether the NET is faster than the path between the GPUs inside the host.
  bool net_is_better(std::size_t a, std::size_t b) const {
    if (!rules_.net_inside_host || settings_.net_disable_intra.value_or(false)) return false;
    const float direct = between(a, b).bandwidth;
    return net_speed(a) > direct && net_speed(b) > direct;
  }

  float net_speed(std::size_t gpu) const {
    float speed = 0;
    for (const GraphNet& net : graph_.nets) {
      const Path& path = paths_.at(gpu_node(gpu), net.node);
      if (path.type <= PathType::kPxb) speed = std::max(speed, path.bandwidth);
    }
    return speed;
  }

  bool peers(std::size_t from, std::size_t to, PathType level) const {
    const PathType type = between(from, to).type;
    const GraphGpu& a = graph_.gpus[from];
    const GraphGpu& b = graph_.gpus[to];
    if (type <= PathType::kNvb) return type <= level && a.nvlink_island == b.nvlink_island;
    return type <= level && graph_.pcie_p2p && a.pcie_island == b.pcie_island;
  }

  void connect_gpus(std::size_t to) {
    const PathType level = p2p_level();
    for (std::size_t from = 0; from < graph_.gpus.size(); ++from) {
      if (from == to || peers(from, to, level)) continue;
      divert(paths_, gpu_node(from), nearest_cpu(graph_, paths_, to, rules_), gpu_node(to), rules_);
    }
    for (std::size_t from = 0; from < graph_.gpus.size(); ++from) {
      if (from == to) continue;
      out_.transports[from][to] = transport(from, to, level);
      if (out_.transports[from][to] == Transport::kNet) {
        paths_.at(gpu_node(from), gpu_node(to)).type = PathType::kNet;
      }
    }
  }

  Transport transport(std::size_t from, std::size_t to, PathType level) const {
    const bool over_gpu = between(from, to).type == PathType::kNvb;
    const bool net = net_is_better(from, to);
    if (peers(from, to, level) && (over_gpu || !net)) return Transport::kP2p;
    return net || settings_.shm_disable.value_or(false) ? Transport::kNet : Transport::kShm;
  }

  void mark_coherent_paths() {
    for (std::size_t gpu = 0; gpu < graph_.gpus.size(); ++gpu) {
      const NodeId cpu = nearest_cpu(graph_, paths_, gpu, rules_);
      for (const std::size_t net : nearest_nets(graph_, paths_, gpu)) {
        const PathType type =
            joined(paths_.at(gpu_node(gpu), cpu).type, paths_.at(net_node(net), cpu).type, rules_);
        if (type != PathType::kP2c) continue;
        for (Path* path :
             {&paths_.at(gpu_node(gpu), net_node(net)), &paths_.at(net_node(net), gpu_node(gpu))}) {
          path->type = std::min(path->type, PathType::kP2c);
        }
      }
    }
  }

  void connect_net(std::size_t gpu, std::size_t net) {
    if (rules_.pxn && !settings_.pxn_disable.value_or(false)) relay_over_peer(gpu, net);
    if (paths_.at(gpu_node(gpu), net_node(net)).type >= PathType::kPhb) return;
    if (gdr(gpu, net, false)) return;
    const NodeId cpu = nearest_cpu(graph_, paths_, gpu, rules_);
    divert(paths_, net_node(net), cpu, gpu_node(gpu), rules_);
    divert(paths_, gpu_node(gpu), cpu, net_node(net), rules_);
  }

  /// Sends through the GPU next to the NIC, if NVLink connects the GPUs and the path improves.
  void relay_over_peer(std::size_t gpu, std::size_t net) {
    const int owner = owner_of_net(graph_, paths_, net, rules_);
    if (owner < 0 || static_cast<std::size_t>(owner) == gpu) return;
    const auto peer = static_cast<std::size_t>(owner);
    const Path& peer_path = paths_.at(gpu_node(peer), net_node(net));
    const Path& own_path = paths_.at(gpu_node(gpu), net_node(net));
    const PathType farthest = rules_.p2c_type ? PathType::kP2c : PathType::kPxb;
    if (peer_path.type > farthest || between(peer, gpu).type > PathType::kNvl) return;
    if (rules_.pxn_needs_gdr && !gdr(peer, net, true)) return;
    if (peer_path.bandwidth <= own_path.bandwidth && own_path.type <= PathType::kPxn) return;
    divert(paths_, gpu_node(gpu), gpu_node(peer), net_node(net), rules_);
    paths_.at(gpu_node(gpu), net_node(net)).type = PathType::kPxn;
  }

  /// The first GPU on the path.
  std::size_t relay_of(std::size_t gpu, std::size_t net) const {
    const Path& path = paths_.at(gpu_node(gpu), net_node(net));
    if (path.type != PathType::kPxn) return gpu;
    for (const LinkId id : path.links) {
      const NodeId node = graph_.links[id].to;
      if (node == gpu_node(gpu) || node == graph_.gpus[gpu].device) continue;
      for (std::size_t other = 0; other < graph_.gpus.size(); ++other) {
        if (graph_.gpus[other].device == node) return other;
      }
    }
    return gpu;
  }

  bool reads_allowed(std::size_t gpu) const {
    const int read = settings_.net_gdr_read.value_or(-2);
    if (read == 0) return false;
    if (read > 0 || (rules_.gdr_read_ampere && graph_.gpus[gpu].sm >= 80)) return true;
    if (graph_.gpus.size() == 1) return true;
    for (std::size_t other = 0; other < graph_.gpus.size(); ++other) {
      if (other != gpu && between(gpu, other).type == PathType::kNvl) return true;
    }
    return false;
  }

  bool gdr(std::size_t gpu, std::size_t net, bool send) const {
    const GraphNet& by = graph_.nets[net];
    if (!by.gdr || !graph_.gpus[gpu].gdr) return false;
    if (std::count(by.out_of_reach.begin(), by.out_of_reach.end(), graph_.gpus[gpu].dev) > 0) {
      return false;
    }
    if (send && !reads_allowed(gpu)) return false;
    const PathType level =
        settings_.net_gdr_level.value_or(rules_.p2c_type ? PathType::kP2c : PathType::kPxb);
    return paths_.at(gpu_node(relay_of(gpu, net)), net_node(net)).type <= level;
  }

  void describe() {
    const std::size_t nets = graph_.nets.size();
    out_.gdr.assign(graph_.gpus.size(), std::vector<GdrUse>(nets));
    out_.relay.assign(graph_.gpus.size(), std::vector<std::size_t>(nets));
    for (std::size_t gpu = 0; gpu < graph_.gpus.size(); ++gpu) {
      for (std::size_t net = 0; net < nets; ++net) {
        out_.gdr[gpu][net] = {gdr(gpu, net, true), gdr(gpu, net, false)};
        out_.relay[gpu][net] = relay_of(gpu, net);
      }
    }
    for (std::size_t net = 0; net < nets; ++net) {
      out_.net_gpu.push_back(owner_of_net(graph_, paths_, net, rules_));
    }
  }

  const Graph& graph_;
  Paths& paths_;
  Connected& out_;
  const Rules& rules_;
  const Settings& settings_;
};

}  // namespace

const char* to_string(Transport transport) {
  switch (transport) {
    case Transport::kSelf:
      return "self";
    case Transport::kP2p:
      return "P2P";
    case Transport::kShm:
      return "SHM";
    case Transport::kNet:
      return "NET";
  }
  throw std::logic_error("transport");
}

Connected connect(Graph graph, const Rules& rules, const Settings& settings) {
  Connected connected;
  connected.graph = std::move(graph);
  connected.paths = physical_paths(connected.graph, rules, !settings.nvb_disable.value_or(false));
  Connector(connected, rules, settings).run();
  return connected;
}

std::vector<std::vector<std::size_t>> domains(const Connected& connected) {
  const std::size_t gpus = connected.graph.gpus.size();
  std::vector<std::size_t> domain(gpus);
  for (std::size_t gpu = 0; gpu < gpus; ++gpu) {
    domain[gpu] = gpu;
    for (std::size_t before = 0; before < gpu; ++before) {
      const Path& path =
          connected.paths.at(connected.graph.gpus[gpu].node, connected.graph.gpus[before].node);
      if (path.type < PathType::kNet) domain[gpu] = std::min(domain[gpu], domain[before]);
    }
  }
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t first = 0; first < gpus; ++first) {
    std::vector<std::size_t> group;
    for (std::size_t gpu = 0; gpu < gpus; ++gpu) {
      if (domain[gpu] == first) group.push_back(gpu);
    }
    if (!group.empty()) groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace vgsim::collectives::nccl
