#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vgsim::collectives::nccl {

/// What is at the other end of an NVLink.
enum class NvLinkEnd : std::uint8_t { kGpu, kSwitch, kCpu };

/// NVLinks from a GPU to one other device.
struct MachineNvLink {
  NvLinkEnd end = NvLinkEnd::kSwitch;
  std::string target;  ///< bus id of a GPU; else not looked at
  int count = 0;

  bool operator==(const MachineNvLink&) const = default;
};

/// A GPU of a machine.
struct MachineGpu {
  int dev = 0;  ///< NVML's number
  int sm = 0;   ///< 10 x compute capability
  bool gdr = false;
  /// Its place among the machine's ranks, which NCCL counts from 0; empty if no rank uses it.
  std::optional<int> rank;
  std::vector<MachineNvLink> nvlinks;
  /// The NVLinks of an NVSwitch join GPUs of one island alone: a partition of its fabric.
  std::size_t nvlink_island = 0;
  /// GPUs reach each other over PCIe within one island alone, see Machine::pcie_p2p.
  std::size_t pcie_island = 0;
  double c2c = 0;  ///< GB/s to the CPU beside PCIe (Grace); 0 if there is no such link

  bool operator==(const MachineGpu&) const = default;
};

/// A port of a NIC, or whatever NCCL's network plug-in shows as a device.
struct MachineNet {
  std::string name;
  int dev = 0;              ///< the plug-in's number
  double bandwidth = 1.25;  ///< GB/s
  int port = 0;
  std::uint64_t guid = 0;  ///< devices with the same guid and port share the bandwidth
  double latency = 0;      ///< us
  bool gdr = false;
  bool coll = false;              ///< in-network reduction (SHARP)
  std::vector<int> out_of_reach;  ///< GPUs, by their dev, whose memory it does not reach

  bool operator==(const MachineNet&) const = default;
};

/// A PCI function below a root port: a switch, a GPU or a NIC.
struct MachinePci {
  std::string bus_id;        ///< normalized: "0000:3b:00.0"
  std::uint64_t device = 0;  ///< vendor, device, subsystem vendor and device, 16 bits each
  double bandwidth = 0;      ///< GB/s of the link towards the CPU, per direction
  bool has_nic = false;      ///< it is a NIC, with ports or without
  bool bridge = true;        ///< it is a switch (or unknown); false for other classes
  std::optional<MachineGpu> gpu;
  std::vector<MachineNet> nets;
  std::vector<MachinePci> children;

  bool operator==(const MachinePci&) const = default;
};

enum class CpuArch : std::uint8_t { kX86, kArm, kPower, kOther };
enum class CpuVendor : std::uint8_t { kIntel, kAmd, kZhaoxin, kOther };
/// Models that NCCL tells apart.
enum class CpuModel : std::uint8_t {
  kOther,
  kBroadwell,  ///< and before
  kSkylake,    ///< to Ice Lake
  kSapphireRapids,
  kEmeraldRapids,  ///< and after
  kYongfeng,
};

/// A NUMA node.
struct MachineCpu {
  int numa_id = 0;
  CpuArch arch = CpuArch::kX86;
  CpuVendor vendor = CpuVendor::kOther;
  CpuModel model = CpuModel::kOther;
  std::vector<MachinePci> pcis;
  std::vector<MachineNet> nets;  ///< of NICs whose place on the PCI bus is not known

  bool operator==(const MachineCpu&) const = default;
};

/// One host, VM or container as NCCL's ranks see it: what a topology file says.
struct Machine {
  std::vector<MachineCpu> cpus;
  /// Whether the driver reports peer-to-peer between GPUs that no NVLink joins.
  bool pcie_p2p = true;
  bool multicast = true;  ///< CUDA makes multicast objects, which NVLS needs
  bool partial = false;   ///< there are GPUs that other jobs, or other groups of this one, use
  bool collnet_plugin = false;  ///< without one NCCL_COLLNET_ENABLE changes nothing

  bool operator==(const Machine&) const = default;
};

/// Intel's or Zhaoxin's CPU from what CPUID says. Source: NVIDIA/nccl src/graph/topo.cc.
[[nodiscard]] CpuModel cpu_model_of(CpuVendor vendor, std::int64_t family, std::int64_t model);

/// GB/s of a PCIe link as NCCL counts it: lanes x rate, from the text that Linux writes
/// ("16.0 GT/s PCIe"); unknown text counts as 8 GT/s, no lanes as 16.
[[nodiscard]] double pci_bandwidth_of(std::string_view link_speed, std::int64_t lanes);

}  // namespace vgsim::collectives::nccl
