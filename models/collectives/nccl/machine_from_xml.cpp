#include "models/collectives/nccl/machine_from_xml.hpp"

#include <charconv>
#include <string_view>

namespace vgsim::collectives::nccl {
namespace {

std::uint64_t hex(std::string_view digits) {
  std::uint64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  return value;
}

/// What NCCL takes a device for by its class.
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

MachineGpu gpu_of(const topology::NcclGpu& xml) {
  MachineGpu gpu;
  gpu.dev = static_cast<int>(xml.dev.value_or(0));
  gpu.sm = static_cast<int>(xml.sm);
  gpu.gdr = xml.gdr;
  if (xml.rank && *xml.rank >= 0) gpu.rank = static_cast<int>(*xml.rank);
  gpu.c2c = xml.c2c_bandwidth();
  for (const topology::NcclNvLink& link : xml.nvlinks) {
    gpu.nvlinks.push_back({end_of(link.target_class), link.target, static_cast<int>(link.count)});
  }
  return gpu;
}

void add_nets(const std::vector<topology::NcclNet>& from, std::vector<MachineNet>& nets) {
  for (const topology::NcclNet& xml : from) {
    if (!xml.dev) continue;
    MachineNet net;
    net.name = xml.name;
    net.dev = static_cast<int>(*xml.dev);
    if (xml.speed > 0) net.bandwidth = static_cast<double>(xml.speed) / 8000.0;
    net.port = static_cast<int>(xml.port);
    net.guid = xml.guid;
    net.latency = xml.latency;
    net.gdr = xml.gdr;
    net.coll = xml.coll;
    nets.push_back(std::move(net));
  }
}

MachinePci pci_of(const topology::NcclPci& xml) {
  MachinePci pci;
  pci.bus_id = xml.busid;
  pci.device = hex(xml.vendor) << 48 | hex(xml.device) << 32 | hex(xml.subsystem_vendor) << 16 |
               hex(xml.subsystem_device);
  pci.bandwidth = pci_bandwidth_of(xml.link_speed, xml.link_width);
  pci.bridge = kind_of(xml.device_class) == Kind::kBridge;
  if (xml.gpu) pci.gpu = gpu_of(*xml.gpu);
  add_nets(xml.nets, pci.nets);
  pci.has_nic = !pci.nets.empty();
  for (const topology::NcclPci& child : xml.children) pci.children.push_back(pci_of(child));
  return pci;
}

MachineCpu cpu_of(const topology::NcclCpu& xml) {
  MachineCpu cpu;
  cpu.numa_id = static_cast<int>(xml.numaid);
  cpu.arch = xml.arch == "x86_64"  ? CpuArch::kX86
             : xml.arch == "arm64" ? CpuArch::kArm
             : xml.arch == "ppc64" ? CpuArch::kPower
                                   : CpuArch::kOther;
  if (cpu.arch == CpuArch::kX86) {
    cpu.vendor = xml.vendor == "GenuineIntel"   ? CpuVendor::kIntel
                 : xml.vendor == "AuthenticAMD" ? CpuVendor::kAmd
                 : xml.vendor == "CentaurHauls" || xml.vendor == "  Shanghai  "
                     ? CpuVendor::kZhaoxin
                     : CpuVendor::kOther;
    cpu.model = cpu_model_of(cpu.vendor, xml.familyid.value_or(0), xml.modelid.value_or(0));
  }
  for (const topology::NcclPci& pci : xml.pcis) cpu.pcis.push_back(pci_of(pci));
  for (const topology::NcclNic& nic : xml.nics) add_nets(nic.nets, cpu.nets);
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

Machine machine_from_xml(const topology::NcclSystem& system) {
  Machine machine;
  for (const topology::NcclCpu& cpu : system.cpus) machine.cpus.push_back(cpu_of(cpu));
  number_gpus(machine);
  return machine;
}

}  // namespace vgsim::collectives::nccl
