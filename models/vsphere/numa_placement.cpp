#include "models/vsphere/numa_placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "topology/graph/paths.hpp"

namespace vgsim::vsphere {
namespace {

using topology::Host;
using topology::HostPaths;
using topology::Topology;
using topology::Travel;
using topology::Vertex;

constexpr std::int64_t kThreadsPerCore = 2;
/// Resolution of the parts of a VM's memory.
constexpr std::int64_t kParts = 100;

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// Places the VMs of one host, in the order in which ESXi gets them.
class NumaScheduler {
 public:
  NumaScheduler(const Topology& topology, const Host& host, const HostInventory& inventory,
                double second_thread)
      : topology_(topology),
        host_(host),
        inventory_(inventory),
        second_thread_(second_thread),
        free_(host.sockets.size(), static_cast<double>(inventory.numa_cores.value_or(0))) {}

  void place(VirtualMachine& vm) {
    const VmSettings& settings = vm.settings;
    const AdvancedSettings& advanced = settings.advanced;
    const std::vector<std::size_t> allowed = allowed_nodes(advanced);
    NumaPlacement& numa = vm.numa;
    const std::vector<std::int64_t> sizes =
        numa_clients(settings, allowed.size(), inventory_.numa_cores);
    std::vector<NumaClient> clients;
    for (const std::int64_t vcpus : sizes) clients.push_back({choose(vm, allowed, clients), vcpus});
    for (const NumaClient& client : clients) {
      free_[client.node] -= static_cast<double>(client.vcpus);
      if (std::find(numa.nodes.begin(), numa.nodes.end(), client.node) == numa.nodes.end()) {
        numa.nodes.push_back(client.node);
      }
    }
    if (clients.empty()) numa.nodes = allowed;
    std::sort(numa.nodes.begin(), numa.nodes.end());
    keep_memory(vm, clients, allowed);
    if (clients.empty()) return;
    numa.cores = cores_of(clients, advanced);
    const std::int64_t fewest = advanced.vnuma_min.value_or(9);
    numa.guest_sees_nodes =
        numa.nodes.size() > 1 && *settings.vcpus >= fewest && !settings.cpu_hot_add;
  }

 private:
  [[nodiscard]] std::vector<std::size_t> allowed_nodes(const AdvancedSettings& advanced) const {
    std::vector<std::size_t> all;
    const auto& wanted = advanced.node_affinity.empty() ? nodes_of_cpus(advanced.cpu_affinity)
                                                        : advanced.node_affinity;
    for (const std::int64_t node : wanted) {
      const auto n = static_cast<std::size_t>(node);
      if (n < free_.size() && std::find(all.begin(), all.end(), n) == all.end()) all.push_back(n);
    }
    if (all.empty()) {
      all.resize(free_.size());
      std::iota(all.begin(), all.end(), std::size_t{0});
    }
    return all;
  }

  /// The nodes of logical CPUs. ESXi numbers the threads of a core one after the other.
  [[nodiscard]] std::vector<std::int64_t> nodes_of_cpus(
      const std::vector<std::int64_t>& cpus) const {
    std::vector<std::int64_t> nodes;
    if (!inventory_.numa_cores) return nodes;
    for (const std::int64_t cpu : cpus) {
      nodes.push_back(cpu / (kThreadsPerCore * *inventory_.numa_cores));
    }
    return nodes;
  }

  /// The node for the next client.
  [[nodiscard]] std::size_t choose(const VirtualMachine& vm,
                                   const std::vector<std::size_t>& allowed,
                                   const std::vector<NumaClient>& before) const {
    std::vector<std::size_t> devices(free_.size());
    for (const std::size_t gpu : vm.gpus) {
      ++devices[node_of_device(topology_, host_, host_.gpus[gpu])];
    }
    for (const VmNic& nic : vm.nics) {
      if (!vm.gpus.empty()) break;
      ++devices[node_of_device(topology_, host_, host_.nics[nic.host_nic].vertex)];
    }
    const auto clients_on = [&](std::size_t node) {
      return std::count_if(before.begin(), before.end(),
                           [&](const NumaClient& client) { return client.node == node; });
    };
    return *std::min_element(allowed.begin(), allowed.end(), [&](std::size_t a, std::size_t b) {
      if (clients_on(a) != clients_on(b)) return clients_on(a) < clients_on(b);
      const bool full_a = free_[a] <= 0;
      const bool full_b = free_[b] <= 0;
      if (full_a != full_b) return full_b;
      if (full_a && free_[a] != free_[b]) return free_[a] > free_[b];
      return devices[a] > devices[b];
    });
  }

  /// Sets the parts of the memory by node, and how much of the vCPUs' accesses go to another one.
  void keep_memory(VirtualMachine& vm, const std::vector<NumaClient>& clients,
                   const std::vector<std::size_t>& allowed) const {
    const VmSettings& settings = vm.settings;
    const AdvancedSettings& advanced = settings.advanced;
    NumaPlacement& numa = vm.numa;
    std::vector<std::int64_t> parts(free_.size());
    if (!advanced.cpu_affinity.empty()) {
      // No longer managed by NUMA: the memory is interleaved over all nodes.
      std::fill(parts.begin(), parts.end(), 1);
    } else if (clients.empty()) {
      for (const std::size_t node : allowed) parts[node] = 1;
    } else {
      for (const NumaClient& client : clients) parts[client.node] += client.vcpus;
    }
    spill(settings.memory, allowed, parts);
    const auto all =
        static_cast<double>(std::accumulate(parts.begin(), parts.end(), std::int64_t{}));
    const bool interleaved = settings.cpu_hot_add || !advanced.cpu_affinity.empty();
    double local = 0;
    for (const std::size_t node : numa.nodes) local += static_cast<double>(parts[node]) / all;
    const double of_one = 1.0 / static_cast<double>(numa.nodes.size());
    numa.remote_accesses = interleaved ? 1.0 - local * of_one : 1.0 - local;
    for (std::size_t n = 0; n < parts.size(); ++n) {
      if (parts[n] > 0) numa.memory.push_back({n, parts[n]});
    }
  }

  /// Moves what does not fit a node's memory to other nodes.
  void spill(const std::optional<Bytes>& memory, const std::vector<std::size_t>& allowed,
             std::vector<std::int64_t>& parts) const {
    if (!memory || !inventory_.numa_memory) return;
    const std::int64_t all = std::accumulate(parts.begin(), parts.end(), std::int64_t{});
    const auto of_node = [&](std::size_t n) {
      return static_cast<double>(memory->count()) * static_cast<double>(parts[n]) /
             static_cast<double>(all);
    };
    const auto room = static_cast<double>(inventory_.numa_memory->count());
    double left = 0;
    std::vector<double> kept(parts.size());
    for (std::size_t n = 0; n < parts.size(); ++n) {
      kept[n] = std::min(of_node(n), room);
      left += of_node(n) - kept[n];
    }
    if (left <= 0) return;
    for (std::size_t n = 0; n < parts.size() && left > 0; ++n) {
      const bool may =
          allowed.size() == 1 || std::find(allowed.begin(), allowed.end(), n) != allowed.end();
      if (!may) continue;
      const double more = std::min(left, room - kept[n]);
      kept[n] += more;
      left -= more;
    }
    for (std::size_t n = 0; n < parts.size(); ++n) {
      parts[n] = static_cast<std::int64_t>(
          static_cast<double>(kParts) * kept[n] / static_cast<double>(memory->count()) + 0.5);
    }
  }

  /// Work of its vCPUs in cores: those beyond the cores of their nodes are second threads.
  [[nodiscard]] double cores_of(const std::vector<NumaClient>& clients,
                                const AdvancedSettings& advanced) const {
    std::vector<double> vcpus(free_.size());
    for (const NumaClient& client : clients)
      vcpus[client.node] += static_cast<double>(client.vcpus);
    double cores = 0;
    for (const double threads : vcpus) {
      cores += inventory_.numa_cores && !advanced.exclusive_cores
                   ? work_of_threads(threads, static_cast<double>(*inventory_.numa_cores),
                                     second_thread_)
                   : threads;
    }
    return cores;
  }

  const Topology& topology_;
  const Host& host_;
  const HostInventory& inventory_;
  double second_thread_;
  std::vector<double> free_;  ///< cores by node; below 0 where vCPUs share them
};

}  // namespace

std::size_t node_of_device(const Topology& topology, const Host& host, Vertex device) {
  const HostPaths paths(topology, device, Travel::kPcieOnly);
  std::size_t nearest = 0;
  for (std::size_t n = 1; n < host.memories.size(); ++n) {
    if (paths.class_to(host.memories[n]) < paths.class_to(host.memories[nearest])) nearest = n;
  }
  return nearest;
}

double work_of_threads(double threads, double cores, double second_thread) {
  if (threads <= cores) return threads;
  return cores + std::min(threads - cores, cores) * second_thread;
}

std::vector<std::int64_t> numa_clients(const VmSettings& settings, std::size_t nodes,
                                       std::optional<std::int64_t> cores) {
  if (!settings.vcpus) return {};
  const std::int64_t vcpus = *settings.vcpus;
  const AdvancedSettings& advanced = settings.advanced;
  const auto most = static_cast<std::int64_t>(nodes);
  std::int64_t size = vcpus;
  if (cores) {
    const bool by_threads = advanced.prefer_ht && !advanced.exclusive_cores;
    size = std::min(size, *cores * (by_threads ? kThreadsPerCore : 1));
  }
  if (advanced.max_per_node) size = std::min(size, *advanced.max_per_node);
  std::int64_t count = ceil_div(vcpus, std::max<std::int64_t>(size, 1));
  if (advanced.spread) count = std::max(count, std::min(most, vcpus));
  count = std::min({count, most, vcpus});
  const std::int64_t block =
      std::clamp<std::int64_t>(advanced.cores_per_socket.value_or(1), 1, vcpus);
  std::int64_t blocks = ceil_div(vcpus, block);
  std::vector<std::int64_t> clients;
  std::int64_t left = vcpus;
  for (std::int64_t c = 0; c < count && left > 0; ++c) {
    const std::int64_t own_blocks = ceil_div(blocks, count - c);
    const std::int64_t own = std::min(left, own_blocks * block);
    clients.push_back(own);
    blocks -= own_blocks;
    left -= own;
  }
  return clients;
}

std::vector<Assumption> place_on_numa_nodes(const Topology& topology,
                                            const std::vector<HostInventory>& hosts,
                                            std::vector<VirtualMachine>& vms,
                                            const calibration::Parameters& parameters) {
  std::vector<Assumption> assumptions;
  std::vector<std::size_t> order;
  for (std::size_t v = 0; v < vms.size(); ++v) {
    const AdvancedSettings& advanced = vms[v].settings.advanced;
    const bool bound = !advanced.node_affinity.empty() || !advanced.cpu_affinity.empty();
    if (vms[v].mode->is_virtual && (vms[v].settings.vcpus || bound)) order.push_back(v);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto rank = [&](std::size_t v) {
      const VmSettings& settings = vms[v].settings;
      return std::pair(settings.advanced.node_affinity.empty(), settings.power_on);
    };
    return rank(a) < rank(b);
  });
  const double second = parameters.number("second_thread_share");
  std::vector<NumaScheduler> schedulers;
  for (std::size_t h = 0; h < hosts.size(); ++h) {
    schedulers.emplace_back(topology, topology.hosts[h], hosts[h], second);
  }
  for (const std::size_t v : order) {
    VirtualMachine& vm = vms[v];
    schedulers[vm.host].place(vm);
    const std::size_t nodes = topology.hosts[vm.host].sockets.size();
    const AdvancedSettings& advanced = vm.settings.advanced;
    if (advanced.node_affinity.empty() && advanced.cpu_affinity.empty() &&
        vm.numa.nodes.size() < nodes) {
      assumptions.push_back(
          {vm.name, fmt::format("numa.nodeAffinity not given, NUMA node {}, although ESXi does not "
                                "choose it by the devices",
                                fmt::join(vm.numa.nodes, ", "))});
    }
  }
  return assumptions;
}

}  // namespace vgsim::vsphere
