#include "models/collectives/guest_machine.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "models/vsphere/guest_view.hpp"
#include "topology/graph/pcie_speed.hpp"

namespace vgsim::collectives {
namespace {

using nccl::MachineCpu;
using nccl::MachineGpu;
using nccl::MachineNet;
using nccl::MachinePci;
using topology::Edge;
using topology::LinkKind;
using topology::NodeKind;
using topology::Vertex;

/// Bandwidth of a PCIe link in GB/s, as NCCL computes it.
double pci_bandwidth(const std::optional<topology::PcieWidth>& width) {
  const topology::PcieWidth known = width.value_or(topology::PcieWidth{});
  return nccl::pci_bandwidth_of(topology::pcie_link_speed(known.generation), known.lanes);
}

class MachineBuilder {
 public:
  MachineBuilder(const topology::Topology& topology, const topology::Catalog& catalog,
                 const vsphere::GuestView& view)
      : topology_(topology), catalog_(catalog), view_(view), host_(topology.hosts[view.vm().host]) {
    for (std::size_t g = 0; g < view.gpu_count(); ++g) devices_.push_back({view.gpu(g), gpu(g)});
    for (std::size_t n = 0; n < view.vm().nics.size(); ++n) {
      devices_.push_back({view.nic(n).vertex, nic(n)});
    }
  }

  nccl::Machine build() {
    nccl::Machine machine;
    machine.partial = !view_.vm().gpu_numbers.empty();
    machine.pcie_p2p = view_.pcie_p2p();
    machine.multicast = view_.multicast();
    for (std::size_t n = 0; n < view_.vm().nics.size(); ++n) {
      machine.collnet_plugin |= view_.net_kind(n) == topology::NetKind::kIb;
    }
    const bool one_node =
        !view_.sees_pcie_tree() && view_.vm().guest_topology == vsphere::GuestTopology::kFlat;
    const std::size_t nodes = one_node ? 1 : host_.sockets.size();
    for (std::size_t i = 0; i < nodes; ++i) {
      machine.cpus.push_back(cpu(static_cast<int>(i)));
      std::vector<MachinePci>& pcis = machine.cpus.back().pcis;
      if (view_.sees_pcie_tree()) {
        for (Placed& placed : children(host_.sockets[i], std::nullopt)) {
          pcis.push_back(std::move(placed.pci));
        }
        continue;
      }
      for (const Device& device : devices_) {
        if (one_node || socket_of(device.vertex) == i) pcis.push_back(device.pci);
      }
    }
    return machine;
  }

 private:
  /// A device of the guest; several vGPUs of one GPU are separate devices.
  struct Device {
    Vertex vertex;
    MachinePci pci;
  };
  /// A position in the guest's PCIe tree, and the index of its first device in devices_.
  struct Placed {
    std::size_t first = 0;
    MachinePci pci;
  };

  MachineCpu cpu(int node) const {
    MachineCpu cpu;
    cpu.numa_id = node;
    const auto model = catalog_.cpus.find(host_.cpu_model);
    if (model == catalog_.cpus.end()) return cpu;
    const topology::CpuModel& known = model->second;
    cpu.arch = known.vendor == "nvidia" ? nccl::CpuArch::kArm : nccl::CpuArch::kX86;
    if (known.vendor == "amd") cpu.vendor = nccl::CpuVendor::kAmd;
    if (known.vendor == "intel") cpu.vendor = nccl::CpuVendor::kIntel;
    if (!known.cpuids.empty()) {
      cpu.model =
          nccl::cpu_model_of(cpu.vendor, known.cpuids.front().first, known.cpuids.front().second);
    }
    return cpu;
  }

  /// The children of a vertex, in the order of the GPUs and NICs below them.
  std::vector<Placed> children(Vertex above, std::optional<Vertex> parent) const {
    std::vector<Placed> found;
    for (const Edge& edge : topology_.edges_from(above)) {
      const Vertex below = edge.target;
      if (below == parent) continue;
      const topology::Link& link = topology_.link(edge);
      const NodeKind kind = topology_.node(below).kind;
      if (link.kind == LinkKind::kOnDie) {
        for (Placed& placed : children(below, above)) found.push_back(std::move(placed));
      } else if (link.kind == LinkKind::kPcie && kind == NodeKind::kPcieSwitch) {
        MachinePci bridge;
        bridge.bus_id = fmt::format("0000:{:02x}:1f.0", static_cast<unsigned>(below) % 256);
        bridge.bandwidth = pci_bandwidth(link.pcie);
        std::vector<Placed> behind = children(below, above);
        if (behind.empty()) continue;
        for (Placed& placed : behind) bridge.children.push_back(std::move(placed.pci));
        found.push_back({behind.front().first, std::move(bridge)});
      } else if (link.kind == LinkKind::kPcie) {
        for (std::size_t d = 0; d < devices_.size(); ++d) {
          if (devices_[d].vertex == below) found.push_back({d, devices_[d].pci});
        }
      }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Placed& a, const Placed& b) { return a.first < b.first; });
    return found;
  }

  std::size_t socket_of(Vertex device) const {
    const topology::HostPaths paths(topology_, device, topology::Travel::kPcieOnly);
    std::size_t nearest = 0;
    for (std::size_t s = 1; s < host_.sockets.size(); ++s) {
      if (paths.class_to(host_.sockets[s]) < paths.class_to(host_.sockets[nearest])) nearest = s;
    }
    return nearest;
  }

  /// The GPU's NVML index, independent of the GPUs that a job uses.
  int number_of(std::size_t g) const {
    const auto& numbers = view_.vm().gpu_numbers;
    return static_cast<int>(numbers.empty() ? g : numbers[g]);
  }

  static std::string gpu_bus_id(std::size_t g) { return fmt::format("0001:{:02x}:00.0", g); }

  double link_bandwidth(Vertex device) const {
    for (const Edge& edge : topology_.edges_from(device)) {
      const topology::Link& link = topology_.link(edge);
      if (link.kind == LinkKind::kPcie) return pci_bandwidth(link.pcie);
    }
    return pci_bandwidth(std::nullopt);
  }

  MachinePci gpu(std::size_t g) const {
    MachinePci pci;
    pci.bus_id = gpu_bus_id(g);
    pci.bridge = false;
    pci.bandwidth = link_bandwidth(view_.gpu(g));
    MachineGpu device;
    device.dev = number_of(g);
    device.rank = static_cast<int>(g);
    device.gdr = true;
    const auto model = catalog_.gpus.find(topology_.node(view_.gpu(g)).model);
    device.sm =
        model == catalog_.gpus.end() ? 80 : static_cast<int>(model->second.compute_capability);
    device.nvlinks = nvlinks(g);
    device.nvlink_island = view_.nvlink_island(g);
    device.pcie_island = view_.pcie_island(g);
    pci.gpu = std::move(device);
    return pci;
  }

  std::vector<nccl::MachineNvLink> nvlinks(std::size_t g) const {
    std::vector<nccl::MachineNvLink> result;
    bool joined = false;
    for (std::size_t other = 0; other < view_.gpu_count(); ++other) {
      if (other == g || view_.peer_access(g, other) != vsphere::PeerAccess::kNvLink) continue;
      joined = true;
      const auto edge = topology_.edge(view_.gpu(g), view_.gpu(other));
      if (!edge || topology_.link(*edge).kind != LinkKind::kNvLink) continue;
      result.push_back({nccl::NvLinkEnd::kGpu, gpu_bus_id(other),
                        static_cast<int>(topology_.link(*edge).nvlinks)});
    }
    for (const Edge& edge : topology_.edges_from(view_.gpu(g))) {
      const Vertex hub = edge.target;
      if (!joined || topology_.node(hub).kind != NodeKind::kNvSwitch) continue;
      result.push_back(
          {nccl::NvLinkEnd::kSwitch, {}, static_cast<int>(topology_.link(edge).nvlinks)});
    }
    return result;
  }

  MachinePci nic(std::size_t n) const {
    MachinePci pci;
    pci.bus_id = fmt::format("0002:{:02x}:00.0", n);
    pci.bridge = false;
    pci.has_nic = true;
    pci.bandwidth = link_bandwidth(view_.nic(n).vertex);
    MachineNet net;
    net.name = view_.nic(n).name;
    net.dev = static_cast<int>(n);
    net.bandwidth = static_cast<double>(view_.reported_rate(n).count()) / 1e9;
    net.port = 1;
    net.guid = n + 1;
    net.gdr = view_.nic_can_reach_gpus(n);
    for (std::size_t g = 0; g < view_.gpu_count(); ++g) {
      if (net.gdr && !view_.nic_can_reach(g, n)) net.out_of_reach.push_back(number_of(g));
    }
    net.coll = view_.net_kind(n) == topology::NetKind::kIb;
    pci.nets.push_back(std::move(net));
    return pci;
  }

  const topology::Topology& topology_;
  const topology::Catalog& catalog_;
  const vsphere::GuestView& view_;
  const topology::Host& host_;
  std::vector<Device> devices_;  ///< GPUs by number, then NICs
};

}  // namespace

nccl::Machine guest_machine(const topology::Topology& topology, const topology::Catalog& catalog,
                            const vsphere::GuestView& view) {
  return MachineBuilder(topology, catalog, view).build();
}

}  // namespace vgsim::collectives
