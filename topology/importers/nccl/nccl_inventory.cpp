#include "topology/importers/nccl/nccl_inventory.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "topology/graph/pcie_speed.hpp"
#include "topology/inventory/pci_class.hpp"
#include "topology/inventory/topology_words.hpp"

namespace vgsim::topology::inventory {
namespace {

/// Reads one file: `path` is the source of every value.
///
/// The two ways between NCCL's file and an inventory mirror each other. 0 and an empty text stand
/// for "not told" in NCCL's structs, as in NCCL, and become nothing in an inventory.
class FromNccl {
 public:
  explicit FromNccl(std::string path) : path_(std::move(path)) {}

  NumaNode numa_node(const NcclCpu& cpu) const {
    NumaNode node;
    if (cpu.numaid >= 0) node.id = told(cpu.numaid);
    node.host_hash = text(cpu.host_hash);
    node.affinity = text(cpu.affinity);
    node.arch = text(cpu.arch);
    node.vendor = text(cpu.vendor);
    node.family = number(cpu.familyid);
    node.model = number(cpu.modelid);
    for (const NcclPci& pci : cpu.pcis) node.devices.push_back(device(pci));
    for (const NcclNic& nic : cpu.nics) {
      Device card;
      card.kind = DeviceKind::kNic;
      card.ports = ports(nic.nets);
      node.without_pcie.push_back(std::move(card));
    }
    return node;
  }

 private:
  template <class T>
  Told<T> told(T value) const {
    return {std::move(value), path_};
  }
  Maybe<std::string> text(const std::string& value) const {
    return value.empty() ? Maybe<std::string>() : told(value);
  }
  Maybe<std::int64_t> number(const std::optional<std::int64_t>& value) const {
    return value ? Maybe<std::int64_t>(told(*value)) : std::nullopt;
  }

  static DeviceKind kind_of(const NcclPci& pci) {
    const std::string& code = pci.device_class;
    if (pci.gpu || is_gpu_class(code) || code.starts_with("12") || code.starts_with("0380")) {
      return DeviceKind::kGpu;
    }
    if (!pci.nets.empty() || is_nic_class(code)) return DeviceKind::kNic;
    if (is_nvswitch_class(code)) return DeviceKind::kNvSwitch;
    if (is_bridge_class(code) || !pci.children.empty()) return DeviceKind::kBridge;
    return code.starts_with("0108") ? DeviceKind::kStorage : DeviceKind::kOther;
  }

  Device device(const NcclPci& pci) const {
    Device device;
    device.kind = kind_of(pci);
    device.bus_id = pci.busid;
    device.pci_class = text(pci.device_class);
    device.vendor = text(pci.vendor);
    device.device = text(pci.device);
    device.subsystem_vendor = text(pci.subsystem_vendor);
    device.subsystem_device = text(pci.subsystem_device);
    device.nccl_speed = text(pci.link_speed);
    if (pci.link_width > 0) device.nccl_width = told(pci.link_width);
    const auto generation = pcie_generation_of(pci.link_speed);
    if (generation && pci.link_width > 0) {
      device.link = told(PcieWidth{*generation, pci.link_width});
    }
    if (pci.gpu) device.gpu = gpu(*pci.gpu);
    device.ports = ports(pci.nets);
    for (const NcclPci& child : pci.children) device.below.push_back(this->device(child));
    return device;
  }

  Gpu gpu(const NcclGpu& from) const {
    Gpu gpu;
    gpu.index = number(from.dev);
    if (from.sm > 0) gpu.sm = told(from.sm);
    gpu.gcn = text(from.gcn);
    gpu.rank = number(from.rank);
    if (from.gdr || from.rank) gpu.gdr = told(from.gdr);
    gpu.xgmi = from.xgmi;
    gpu.nccl_attributes = from.more;
    for (const NcclNvLink& link : from.nvlinks) {
      gpu.nvlinks.push_back(
          {told(link.target), text(link.target_class), told(link.count), std::nullopt});
    }
    gpu.nvlinks_up = number(from.nvlinks_up);
    for (const NcclC2c& link : from.c2c) {
      gpu.c2c.push_back({told(link.megabytes_per_second), told(link.count)});
    }
    return gpu;
  }

  std::vector<Port> ports(const std::vector<NcclNet>& nets) const {
    std::vector<Port> ports;
    for (const NcclNet& net : nets) {
      Port port;
      port.name = text(net.name);
      port.dev = number(net.dev);
      if (net.speed > 0) port.megabits = told(net.speed);
      port.port = told(net.port);
      if (net.guid != 0) port.guid = told(fmt::format("0x{:x}", net.guid));
      port.maxconn = number(net.maxconn);
      port.latency_us = told(net.latency);
      if (net.gdr || net.dev) port.gdr = told(net.gdr);
      if (net.coll) port.coll = told(true);
      if (net.keep) port.keep = told(true);
      port.nccl_attributes = net.more;
      ports.push_back(std::move(port));
    }
    return ports;
  }

  std::string path_;
};

template <class T>
T value_or(const Maybe<T>& maybe, T otherwise) {
  return maybe ? maybe->value : std::move(otherwise);
}

std::optional<std::int64_t> number_of(const Maybe<std::int64_t>& maybe) {
  return maybe ? std::optional(maybe->value) : std::nullopt;
}

NcclGpu nccl_gpu(const Gpu& from) {
  NcclGpu gpu;
  gpu.dev = number_of(from.index);
  gpu.sm = value_or(from.sm, std::int64_t{0});
  gpu.gcn = value_or(from.gcn, std::string());
  gpu.rank = number_of(from.rank);
  gpu.gdr = value_or(from.gdr, false);
  gpu.xgmi = from.xgmi;
  gpu.more = from.nccl_attributes;
  gpu.nvlinks_up = number_of(from.nvlinks_up);
  for (const NvLinks& links : from.nvlinks) {
    gpu.nvlinks.push_back(
        {links.target.value, value_or(links.target_class, std::string()), links.count.value, 0});
  }
  for (const C2cLinks& links : from.c2c) {
    gpu.c2c.push_back({links.megabytes_per_second.value, links.count.value});
  }
  return gpu;
}

std::vector<NcclNet> nccl_nets(const std::vector<Port>& ports) {
  std::vector<NcclNet> nets;
  for (const Port& port : ports) {
    NcclNet net;
    net.name = value_or(port.name, std::string());
    net.dev = number_of(port.dev);
    net.speed = value_or(port.megabits, std::int64_t{0});
    net.port = value_or(port.port, std::int64_t{0});
    const std::string guid = value_or(port.guid, std::string());
    if (guid.starts_with("0x")) {
      std::from_chars(guid.data() + 2, guid.data() + guid.size(), net.guid, 16);
    }
    net.maxconn = number_of(port.maxconn);
    net.latency = value_or(port.latency_us, 0.0);
    net.gdr = value_or(port.gdr, false);
    net.coll = value_or(port.coll, false);
    net.keep = value_or(port.keep, false);
    net.more = port.nccl_attributes;
    nets.push_back(std::move(net));
  }
  return nets;
}

NcclPci nccl_pci(const Device& device) {
  NcclPci pci;
  pci.busid = device.bus_id;
  pci.device_class = value_or(device.pci_class, std::string(usual_pci_class(device.kind)));
  if (pci.device_class.size() == 4) pci.device_class += "00";
  pci.vendor = value_or(device.vendor, std::string());
  pci.device = value_or(device.device, std::string());
  pci.subsystem_vendor = value_or(device.subsystem_vendor, std::string());
  pci.subsystem_device = value_or(device.subsystem_device, std::string());
  if (device.nccl_speed || device.nccl_width || !device.link) {
    pci.link_speed = value_or(device.nccl_speed, std::string());
    pci.link_width = value_or(device.nccl_width, std::int64_t{0});
  } else {
    pci.link_speed = pcie_link_speed(device.link->value.generation);
    pci.link_width = device.link->value.lanes;
  }
  pci.root_complex = value_or(device.root_complex, std::string());
  if (device.gpu) pci.gpu = nccl_gpu(*device.gpu);
  pci.nets = nccl_nets(device.ports);
  for (const Device& child : device.below) pci.children.push_back(nccl_pci(child));
  return pci;
}

}  // namespace

std::vector<Inventory> from_nccl(const NcclSystem& system) {
  std::vector<std::string> hosts;
  std::vector<Inventory> inventories;
  const FromNccl reader(system.source->path);
  for (const NcclCpu& cpu : system.cpus) {
    auto host = std::ranges::find(hosts, cpu.host_hash);
    if (host == hosts.end()) {
      host = hosts.insert(host, cpu.host_hash);
      inventories.emplace_back().nccl_version = {system.version, system.source->path};
    }
    inventories[static_cast<std::size_t>(host - hosts.begin())].numa_nodes.push_back(
        reader.numa_node(cpu));
  }
  if (!inventories.empty()) inventories.front().warnings = system.warnings;
  return inventories;
}

NcclSystem to_nccl(const Inventory& host, const input::SourcePtr& source) {
  NcclSystem system;
  system.version = value_or(host.nccl_version, std::int64_t{1});
  system.source = source;
  system.origin = "topology";
  const bool numbered = std::ranges::any_of(
      host.numa_nodes, [](const NumaNode& node) { return node.id.has_value(); });
  for (std::size_t n = 0; n < host.numa_nodes.size(); ++n) {
    const NumaNode& node = host.numa_nodes[n];
    NcclCpu cpu;
    cpu.numaid = value_or(node.id, numbered ? std::int64_t{-1} : static_cast<std::int64_t>(n));
    cpu.package = number_of(node.package);
    cpu.model_name = value_or(node.cpu_name, value_or(host.cpu_name, std::string()));
    cpu.host_hash = value_or(node.host_hash, std::string());
    cpu.affinity = value_or(node.affinity, std::string());
    cpu.arch = value_or(node.arch, std::string());
    cpu.vendor = value_or(node.vendor, std::string());
    cpu.familyid = number_of(node.family);
    cpu.modelid = number_of(node.model);
    for (const Device& device : node.devices) cpu.pcis.push_back(nccl_pci(device));
    for (const Device& nic : node.without_pcie) cpu.nics.push_back({nccl_nets(nic.ports), 0});
    system.cpus.push_back(std::move(cpu));
  }
  return system;
}

}  // namespace vgsim::topology::inventory
