#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vgsim::collectives::nccl {

/// The device at the other end of an NVLink.
enum class NvLinkEnd : std::uint8_t { kGpu, kSwitch, kCpu };

/// NVLinks from a GPU to one other device.
struct MachineNvLink {
  NvLinkEnd end = NvLinkEnd::kSwitch;
  std::string target;  ///< bus id of a GPU; else unused
  int count = 0;

  bool operator==(const MachineNvLink&) const = default;
};

/// A GPU of a machine.
struct MachineGpu {
  int dev = 0;  ///< NVML's number
  int sm = 0;   ///< 10 x compute capability
  bool gdr = false;
  /// Its rank in the machine, from 0; empty if no rank uses it.
  std::optional<int> rank;
  std::vector<MachineNvLink> nvlinks;
  /// The island of GPUs that an NVSwitch connects: a partition of its fabric.
  std::size_t nvlink_island = 0;
  /// The island of GPUs that reach each other over PCIe, see Machine::pcie_p2p.
  std::size_t pcie_island = 0;
  double c2c = 0;  ///< GB/s to the CPU in addition to PCIe (Grace); 0 without such a link

  bool operator==(const MachineGpu&) const = default;
};

/// A port of a NIC, or another device of NCCL's network plug-in.
struct MachineNet {
  std::string name;
  int dev = 0;              ///< the plug-in's number
  double bandwidth = 1.25;  ///< GB/s
  int port = 0;
  std::uint64_t guid = 0;  ///< devices with the same guid and port share the bandwidth
  double latency = 0;      ///< us
  bool gdr = false;
  bool coll = false;              ///< in-network reduction (SHARP)
  std::vector<int> out_of_reach;  ///< GPUs, by their dev, whose memory it cannot access

  bool operator==(const MachineNet&) const = default;
};

/// A PCI function below a root port: a switch, a GPU or a NIC.
struct MachinePci {
  std::string bus_id;        ///< normalized: "0000:3b:00.0"
  std::uint64_t device = 0;  ///< vendor, device, subsystem vendor and device, 16 bits each
  double bandwidth = 0;      ///< GB/s of the link towards the CPU, per direction
  bool has_nic = false;      ///< a NIC, with or without ports
  bool bridge = true;        ///< a switch or an unknown device; false for other classes
  std::optional<MachineGpu> gpu;
  std::vector<MachineNet> nets;
  std::vector<MachinePci> children;

  bool operator==(const MachinePci&) const = default;
};

enum class CpuArch : std::uint8_t { kX86, kArm, kPower, kOther };
enum class CpuVendor : std::uint8_t { kIntel, kAmd, kZhaoxin, kOther };
/// CPU models that NCCL distinguishes.
enum class CpuModel : std::uint8_t {
  kOther,  ///< AMD: Zen 1 and 2
  kBroadwell,  ///< and older
  kSkylake,    ///< to Ice Lake
  kSapphireRapids,
  kGraniteRapids,  ///< and Sierra Forest, whose model numbers are below those of Emerald Rapids
  kEmeraldRapids,  ///< and newer
  kYongfeng,
  kZen3,  ///< and Zen 4
  kZen5,
};

/// A NUMA node.
struct MachineCpu {
  int numa_id = 0;
  CpuArch arch = CpuArch::kX86;
  CpuVendor vendor = CpuVendor::kOther;
  CpuModel model = CpuModel::kOther;
  std::vector<MachinePci> pcis;
  std::vector<MachineNet> nets;  ///< of NICs with unknown position on the PCI bus

  bool operator==(const MachineCpu&) const = default;
};

/// One host, VM or container as NCCL's ranks detect it: the content of a topology file.
struct Machine {
  std::vector<MachineCpu> cpus;
  /// Whether the driver reports peer-to-peer access between GPUs without NVLink.
  bool pcie_p2p = true;
  bool multicast = true;        ///< CUDA supports multicast objects, which NVLS needs
  bool partial = false;         ///< other jobs, or other groups of this job, use some GPUs
  bool collnet_plugin = false;  ///< without it NCCL_COLLNET_ENABLE has no effect

  bool operator==(const Machine&) const = default;
};

/// The model of an Intel, AMD or Zhaoxin CPU from CPUID. AMD's family is 23, 25 or 26, or 143, 175
/// or 191 in topology files of NCCL up to 2.30, which did not add its two parts.
/// Source: NVIDIA/nccl src/graph/topo.cc (ncclTopoAddCpu) and xml.cc.
[[nodiscard]] CpuModel cpu_model_of(CpuVendor vendor, std::int64_t family, std::int64_t model);

/// GB/s of a PCIe link as NCCL computes it: lanes x rate, from the text that Linux writes ("16.0
/// GT/s PCIe"). Unknown text counts as 8 GT/s, 0 lanes as 16.
[[nodiscard]] double pci_bandwidth_of(std::string_view link_speed, std::int64_t lanes);

}  // namespace vgsim::collectives::nccl
