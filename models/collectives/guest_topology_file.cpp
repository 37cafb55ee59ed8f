#include "models/collectives/guest_topology_file.hpp"

#include <fmt/core.h>

#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "models/collectives/guest_machine.hpp"
#include "models/vsphere/guest_view.hpp"
#include "topology/graph/pcie_speed.hpp"

namespace vgsim::collectives {
namespace {

namespace inventory = topology::inventory;
using inventory::Device;
using inventory::NumaNode;
using inventory::Stated;

/// A value of the guest's file.
template <class Value>
Stated<Value> stated_value(Value value) {
  return {std::move(value), "guest"};
}

/// The link speed and width from which NCCL computes this bandwidth (x16 at 8 GT/s is 12 GB/s); the
/// widest if there are several.
std::pair<std::string_view, std::int64_t> link_of(double bandwidth) {
  for (const std::int64_t lanes : {16, 8, 4, 2, 1}) {
    for (const topology::PcieSpeed& speed : topology::kPcieSpeeds) {
      if (std::abs(nccl::pci_bandwidth_of(speed.link_speed, lanes) - bandwidth) < 1e-6) {
        return {speed.link_speed, lanes};
      }
    }
  }
  return {topology::pcie_link_speed(3), 16};  // NCCL's default for unknown links
}

class Writer {
 public:
  Writer(const topology::Topology& topology, const topology::Catalog& catalog,
         const vsphere::VirtualMachine& vm, const vsphere::GuestView& view,
         const std::vector<std::string>& bus_ids)
      : topology_(topology), catalog_(catalog), vm_(vm), view_(view), bus_ids_(bus_ids) {}

  GuestTopologyFile write(const nccl::Machine& machine) {
    for (std::size_t g = 0; g < view_.gpu_count(); ++g) {
      file_.devices.push_back(topology_.node(view_.gpu(g)).name);
      file_.bus_ids.push_back(bus_id(g, fmt::format("0000:{:02x}:00.0", 3 + g)));
    }
    for (std::size_t n = 0; n < vm_.nics.size(); ++n) {
      const std::size_t place = view_.gpu_count() + n;
      file_.devices.push_back(topology_.node(view_.nic(n).vertex).name);
      file_.bus_ids.push_back(bus_id(place, fmt::format("0000:{:02x}:00.0", 3 + place)));
    }
    note_bus_ids(machine);
    for (const nccl::MachineCpu& cpu : machine.cpus) {
      file_.machine.numa_nodes.push_back(node_of(cpu));
    }
    return std::move(file_);
  }

 private:
  [[nodiscard]] std::string bus_id(std::size_t device, std::string otherwise) const {
    return device < bus_ids_.size() ? bus_ids_[device] : std::move(otherwise);
  }

  /// Maps the machine's generated bus ids to those of the guest.
  void note_bus_ids(const nccl::Machine& machine) {
    for (const nccl::MachineCpu& cpu : machine.cpus) note_bus_ids(cpu.pcis);
  }
  void note_bus_ids(const std::vector<nccl::MachinePci>& pcis) {
    for (const nccl::MachinePci& pci : pcis) {
      if (pci.gpu) in_guest_[pci.bus_id] = file_.bus_ids[rank_of(pci)];
      if (!pci.nets.empty()) {
        in_guest_[pci.bus_id] =
            file_.bus_ids[view_.gpu_count() + static_cast<std::size_t>(pci.nets.front().dev)];
      }
      note_bus_ids(pci.children);
    }
  }

  static std::size_t rank_of(const nccl::MachinePci& pci) {
    return static_cast<std::size_t>(pci.gpu->rank.value_or(0));
  }

  NumaNode node_of(const nccl::MachineCpu& cpu) {
    NumaNode node;
    node.id = stated_value<std::int64_t>(cpu.numa_id);
    node.arch = stated_value<std::string>(cpu.arch == nccl::CpuArch::kArm ? "arm64" : "x86_64");
    const auto model = catalog_.cpus.find(topology_.hosts[vm_.host].cpu_model);
    if (model != catalog_.cpus.end()) {
      if (model->second.vendor == "intel") node.vendor = stated_value<std::string>("GenuineIntel");
      if (model->second.vendor == "amd") node.vendor = stated_value<std::string>("AuthenticAMD");
      if (!model->second.cpuids.empty()) {
        node.family = stated_value(model->second.cpuids.front().first);
        node.model = stated_value(model->second.cpuids.front().second);
      }
    }
    for (const nccl::MachinePci& pci : cpu.pcis) node.devices.push_back(device_of(pci));
    return node;
  }

  Device device_of(const nccl::MachinePci& from) {
    Device device;
    const auto known = in_guest_.find(from.bus_id);
    // Bridges do not exist in the guest: their addresses are ones that no guest device can have.
    device.bus_id =
        known != in_guest_.end() ? known->second : fmt::format("ffff:{:02x}:00.0", ++bridges_);
    const auto [speed, lanes] = link_of(from.bandwidth);
    device.nccl_speed = stated_value(std::string(speed));
    device.nccl_width = stated_value(lanes);
    device.pci_class = stated_value<std::string>(from.gpu       ? "030200"
                                                 : from.has_nic ? "020000"
                                                                : "060400");
    const std::size_t index =
        from.gpu ? rank_of(from)
        : from.has_nic && !from.nets.empty()
            ? view_.gpu_count() + static_cast<std::size_t>(from.nets.front().dev)
            : file_.devices.size();
    if (index < file_.devices.size()) put_ids(index, device);
    if (from.gpu) device.gpu = gpu_of(*from.gpu);
    for (const nccl::MachineNet& net : from.nets) device.ports.push_back(port_of(net));
    for (const nccl::MachinePci& child : from.children) device.below.push_back(device_of(child));
    return device;
  }

  /// Vendor and device ids from the catalogue, if stated.
  void put_ids(std::size_t index, Device& device) const {
    const bool is_gpu = index < view_.gpu_count();
    const topology::Vertex vertex =
        is_gpu ? view_.gpu(index) : view_.nic(index - view_.gpu_count()).vertex;
    const std::string& model = topology_.node(vertex).model;
    const std::vector<std::string>* ids = nullptr;
    if (is_gpu && catalog_.gpus.contains(model)) ids = &catalog_.gpus.at(model).pci_ids;
    if (!is_gpu && catalog_.nics.contains(model)) ids = &catalog_.nics.at(model).pci_ids;
    if (ids == nullptr || ids->empty() || ids->front().size() != 9) return;
    device.vendor = stated_value(ids->front().substr(0, 4));
    device.device = stated_value(ids->front().substr(5));
  }

  inventory::Gpu gpu_of(const nccl::MachineGpu& from) const {
    inventory::Gpu gpu;
    gpu.index = stated_value<std::int64_t>(from.dev);
    if (from.sm > 0) gpu.sm = stated_value<std::int64_t>(from.sm);
    if (from.rank) gpu.rank = stated_value<std::int64_t>(*from.rank);
    gpu.gdr = stated_value(from.gdr);
    for (const nccl::MachineNvLink& link : from.nvlinks) {
      const bool to_gpu = link.end == nccl::NvLinkEnd::kGpu;
      inventory::NvLinks links;
      links.target = stated_value<std::string>(to_gpu ? in_guest_.at(link.target)
                                                      : inventory::kHiddenNvSwitch);
      links.target_class = stated_value<std::string>(to_gpu ? "030200" : "068000");
      links.count = stated_value<std::int64_t>(link.count);
      gpu.nvlinks.push_back(std::move(links));
    }
    return gpu;
  }

  static inventory::Port port_of(const nccl::MachineNet& from) {
    inventory::Port port;
    port.name = stated_value(from.name);
    port.dev = stated_value<std::int64_t>(from.dev);
    port.rate = stated_value(BytesPerSecond{std::llround(from.bandwidth * 1e9)});
    port.port = stated_value<std::int64_t>(from.port);
    port.guid = stated_value(fmt::format("0x{:x}", from.guid));
    port.latency = stated_value(SimTime{std::llround(from.latency * 1e6)});
    port.gdr = stated_value(from.gdr);
    port.coll = stated_value(from.coll);
    return port;
  }

  const topology::Topology& topology_;
  const topology::Catalog& catalog_;
  const vsphere::VirtualMachine& vm_;
  const vsphere::GuestView& view_;
  const std::vector<std::string>& bus_ids_;
  GuestTopologyFile file_;
  std::map<std::string, std::string> in_guest_;
  std::size_t bridges_ = 0;
};

}  // namespace

GuestTopologyFile guest_topology_file(const topology::Topology& topology,
                                      const topology::Catalog& catalog,
                                      const vsphere::VirtualMachine& vm,
                                      const std::vector<std::string>& bus_ids) {
  vsphere::VirtualMachine told = vm;
  told.guest_topology = vsphere::GuestTopology::kTopoFile;
  const vsphere::GuestView view(topology, told);
  return Writer(topology, catalog, told, view, bus_ids)
      .write(guest_machine(topology, catalog, view));
}

}  // namespace vgsim::collectives
