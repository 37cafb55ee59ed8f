#pragma once

#include <optional>
#include <string>
#include <vector>

#include "topology/graph.hpp"

namespace vgsim::vsphere {

enum class GpuMode { kBareMetal, kPassthrough, kVgpu };
enum class GuestTopology { kFlat, kVnuma, kTopoFile };
enum class NicMode { kBareMetal, kPassthrough, kSriov, kPvrdma, kVmxnet3 };

[[nodiscard]] const char* to_string(GpuMode mode);

struct VmNic {
  std::size_t host_nic = 0;  ///< index into Host::nics
  NicMode mode = NicMode::kPassthrough;
};

/// A virtual machine, or a host without a hypervisor (GpuMode::kBareMetal), and what it holds.
struct VirtualMachine {
  std::string name;
  std::size_t host = 0;  ///< index into Topology::hosts
  GpuMode mode = GpuMode::kPassthrough;
  GuestTopology guest_topology = GuestTopology::kFlat;
  bool allow_p2p = true;
  std::vector<std::size_t> gpus;  ///< indices into Host::gpus
  /// For vGPU: by GPU of this VM, which NVLink device group it is in; nothing if in none.
  std::vector<std::optional<std::size_t>> nvlink_group;
  std::vector<VmNic> nics;
};

/// A host as the guest of nobody: all of its devices, seen as they are.
[[nodiscard]] VirtualMachine bare_metal(const topology::Topology& topology, std::size_t host);

/// The same machine with some of its GPUs only: those at these positions.
[[nodiscard]] VirtualMachine with_gpus(const VirtualMachine& vm,
                                       const std::vector<std::size_t>& positions);

}  // namespace vgsim::vsphere
