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

using topology::NcclCpu;
using topology::NcclGpu;
using topology::NcclNet;
using topology::NcclPci;

/// A link of the bandwidth that NCCL computes from speed and width (x16 at 8 GT/s is 12 GB/s): of
/// several the widest.
std::pair<std::string_view, std::int64_t> link_of(double bandwidth) {
  for (const std::int64_t lanes : {16, 8, 4, 2, 1}) {
    for (const topology::PcieSpeed& speed : topology::kPcieSpeeds) {
      if (std::abs(nccl::pci_bandwidth_of(speed.link_speed, lanes) - bandwidth) < 1e-6) {
        return {speed.link_speed, lanes};
      }
    }
  }
  return {topology::pcie_link_speed(3), 16};  // what NCCL takes for anything that it does not know
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
    file_.system.version = 1;
    for (const nccl::MachineCpu& cpu : machine.cpus) file_.system.cpus.push_back(cpu_of(cpu));
    return std::move(file_);
  }

 private:
  [[nodiscard]] std::string bus_id(std::size_t device, std::string otherwise) const {
    return device < bus_ids_.size() ? bus_ids_[device] : std::move(otherwise);
  }

  /// The guest's bus ids by the made-up ones of the machine.
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

  NcclCpu cpu_of(const nccl::MachineCpu& cpu) {
    NcclCpu node;
    node.numaid = cpu.numa_id;
    node.arch = cpu.arch == nccl::CpuArch::kArm ? "arm64" : "x86_64";
    const auto model = catalog_.cpus.find(topology_.hosts[vm_.host].cpu_model);
    if (model != catalog_.cpus.end()) {
      node.vendor = model->second.vendor == "intel" ? "GenuineIntel"
                    : model->second.vendor == "amd" ? "AuthenticAMD"
                                                    : "";
      if (!model->second.cpuids.empty()) {
        node.familyid = model->second.cpuids.front().first;
        node.modelid = model->second.cpuids.front().second;
      }
    }
    for (const nccl::MachinePci& pci : cpu.pcis) node.pcis.push_back(pci_of(pci));
    return node;
  }

  NcclPci pci_of(const nccl::MachinePci& from) {
    NcclPci pci;
    const auto known = in_guest_.find(from.bus_id);
    // Bridges are not there in the guest: addresses that no device of it can have.
    pci.busid =
        known != in_guest_.end() ? known->second : fmt::format("ffff:{:02x}:00.0", ++bridges_);
    std::tie(pci.link_speed, pci.link_width) = link_of(from.bandwidth);
    pci.device_class = from.gpu ? "030200" : from.has_nic ? "020000" : "060400";
    const std::size_t device =
        from.gpu ? rank_of(from)
        : from.has_nic && !from.nets.empty()
            ? view_.gpu_count() + static_cast<std::size_t>(from.nets.front().dev)
            : file_.devices.size();
    if (device < file_.devices.size()) put_ids(device, pci);
    if (from.gpu) pci.gpu = gpu_of(*from.gpu);
    for (const nccl::MachineNet& net : from.nets) pci.nets.push_back(net_of(net));
    for (const nccl::MachinePci& child : from.children) pci.children.push_back(pci_of(child));
    return pci;
  }

  /// Vendor and device of the catalogue, where it knows one.
  void put_ids(std::size_t device, NcclPci& pci) const {
    const bool is_gpu = device < view_.gpu_count();
    const topology::Vertex vertex =
        is_gpu ? view_.gpu(device) : view_.nic(device - view_.gpu_count()).vertex;
    const std::string& model = topology_.node(vertex).model;
    const std::vector<std::string>* ids = nullptr;
    if (is_gpu && catalog_.gpus.contains(model)) ids = &catalog_.gpus.at(model).pci_ids;
    if (!is_gpu && catalog_.nics.contains(model)) ids = &catalog_.nics.at(model).pci_ids;
    if (ids == nullptr || ids->empty() || ids->front().size() != 9) return;
    pci.vendor = ids->front().substr(0, 4);
    pci.device = ids->front().substr(5);
  }

  NcclGpu gpu_of(const nccl::MachineGpu& from) const {
    NcclGpu gpu;
    gpu.dev = from.dev;
    gpu.sm = from.sm;
    if (from.rank) gpu.rank = *from.rank;
    gpu.gdr = from.gdr;
    for (const nccl::MachineNvLink& link : from.nvlinks) {
      const bool to_gpu = link.end == nccl::NvLinkEnd::kGpu;
      gpu.nvlinks.push_back({to_gpu ? in_guest_.at(link.target) : "fffffff:ff:ff.0",
                             to_gpu ? "030200" : "068000", link.count, 0});
    }
    return gpu;
  }

  static NcclNet net_of(const nccl::MachineNet& from) {
    NcclNet net;
    net.name = from.name;
    net.dev = from.dev;
    net.speed = std::llround(from.bandwidth * 8000.0);
    net.port = from.port;
    net.guid = from.guid;
    net.latency = from.latency;
    net.gdr = from.gdr;
    net.coll = from.coll;
    return net;
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
