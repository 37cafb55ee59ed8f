#include "models/collectives/nccl/machine_of_inventory.hpp"

#include <charconv>
#include <string_view>

#include "topology/machine/device_facts.hpp"

namespace vgsim::collectives::nccl {
namespace {

using namespace topology::inventory;

std::uint64_t hex(std::string_view digits) {
  std::uint64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  return value;
}

/// The kind that NCCL assigns to a device by its class.
enum class Kind { kBridge, kNvSwitch, kCpu, kGpu, kNic };

Kind kind_of(std::string_view device_class) {
  if (device_class == "068000") return Kind::kNvSwitch;
  if (device_class == "068001") return Kind::kCpu;
  if (device_class.starts_with("03")) return Kind::kGpu;
  if (device_class.starts_with("02")) return Kind::kNic;
  return Kind::kBridge;
}

NvLinkEnd end_of(std::string_view target_class) {
  switch (kind_of(target_class)) {
    case Kind::kGpu:
      return NvLinkEnd::kGpu;
    case Kind::kCpu:
      return NvLinkEnd::kCpu;
    default:
      return NvLinkEnd::kSwitch;
  }
}

/// The value, or NCCL's default.
template <class Value>
Value value_of(const Maybe<Value>& stated, Value otherwise = {}) {
  return stated ? stated->value : otherwise;
}

double gigabytes(BytesPerSecond rate) { return static_cast<double>(rate.count()) / 1e9; }

MachineGpu gpu_of(const Gpu& from) {
  MachineGpu gpu;
  gpu.dev = static_cast<int>(value_of(from.index));
  gpu.sm = static_cast<int>(value_of(from.sm));
  gpu.gdr = value_of(from.gdr);
  if (from.rank && from.rank->value >= 0) gpu.rank = static_cast<int>(from.rank->value);
  double c2c = 0;
  for (const C2cLinks& links : from.c2c) {
    c2c += static_cast<double>(links.rate.value.count()) * static_cast<double>(links.count.value);
  }
  gpu.c2c = c2c / 1e9;
  for (const NvLinks& links : from.nvlinks) {
    gpu.nvlinks.push_back({end_of(value_of(links.target_class)), links.target.value,
                           static_cast<int>(links.count.value)});
  }
  return gpu;
}

void add_nets(const std::vector<Port>& ports, std::vector<MachineNet>& nets) {
  for (const Port& port : ports) {
    if (!port.dev) continue;
    MachineNet net;
    net.name = value_of(port.name);
    net.dev = static_cast<int>(port.dev->value);
    if (port.rate) net.bandwidth = gigabytes(port.rate->value);
    net.port = static_cast<int>(value_of(port.port));
    net.guid = guid_of(port);
    net.latency = static_cast<double>(value_of(port.latency).count()) / 1e6;
    net.gdr = value_of(port.gdr);
    net.coll = value_of(port.coll);
    nets.push_back(std::move(net));
  }
}

MachinePci pci_of(const Device& device) {
  MachinePci pci;
  pci.bus_id = device.bus_id;
  const auto id = [](const Maybe<std::string>& digits) { return hex(value_of(digits)); };
  pci.device = id(device.vendor) << 48 | id(device.device) << 32 |
               id(device.subsystem_vendor) << 16 | id(device.subsystem_device);
  const auto [speed, lanes] = link_text_of(device);
  pci.bandwidth = pci_bandwidth_of(speed, lanes);
  pci.bridge = kind_of(pci_class_of(device)) == Kind::kBridge;
  if (device.gpu) pci.gpu = gpu_of(*device.gpu);
  add_nets(device.ports, pci.nets);
  pci.has_nic = !pci.nets.empty();
  for (const Device& child : device.below) pci.children.push_back(pci_of(child));
  return pci;
}

CpuArch arch_of(const std::string& arch) {
  if (arch == "x86_64") return CpuArch::kX86;
  if (arch == "arm64") return CpuArch::kArm;
  return arch == "ppc64" ? CpuArch::kPower : CpuArch::kOther;
}

CpuVendor vendor_of(const std::string& vendor) {
  if (vendor == "GenuineIntel") return CpuVendor::kIntel;
  if (vendor == "AuthenticAMD") return CpuVendor::kAmd;
  const bool is_zhaoxin = vendor == "CentaurHauls" || vendor == "  Shanghai  ";
  return is_zhaoxin ? CpuVendor::kZhaoxin : CpuVendor::kOther;
}

MachineCpu cpu_of(const NumaNode& node, std::int64_t number) {
  MachineCpu cpu;
  cpu.numa_id = static_cast<int>(number);
  cpu.arch = arch_of(value_of(node.arch));
  if (cpu.arch == CpuArch::kX86) {
    cpu.vendor = vendor_of(value_of(node.vendor));
    cpu.model = cpu_model_of(cpu.vendor, value_of(node.family), value_of(node.model));
  }
  for (const Device& device : node.devices) cpu.pcis.push_back(pci_of(device));
  for (const Device& card : node.without_pcie) add_nets(card.ports, cpu.nets);
  return cpu;
}

void gpus_of(std::vector<MachinePci>& pcis, std::vector<MachineGpu*>& gpus) {
  for (MachinePci& pci : pcis) {
    if (pci.gpu) gpus.push_back(&*pci.gpu);
    gpus_of(pci.children, gpus);
  }
}

void number_gpus(Machine& machine) {
  std::vector<MachineGpu*> gpus;
  for (MachineCpu& cpu : machine.cpus) gpus_of(cpu.pcis, gpus);
  for (const MachineGpu* gpu : gpus) {
    if (gpu->rank) return;
  }
  int rank = 0;
  for (MachineGpu* gpu : gpus) gpu->rank = rank++;
}

}  // namespace

Machine machine_of_inventory(const Inventory& host) {
  Machine machine;
  for (std::size_t n = 0; n < host.numa_nodes.size(); ++n) {
    machine.cpus.push_back(cpu_of(host.numa_nodes[n], numa_number(host, n)));
  }
  number_gpus(machine);
  return machine;
}

}  // namespace vgsim::collectives::nccl
