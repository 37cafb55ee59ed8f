#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/vsphere/facts/profiles.hpp"
#include "models/vsphere/modes/gpu_modes.hpp"
#include "models/vsphere/modes/nic_modes.hpp"
#include "topology/graph/graph.hpp"

namespace vgsim::vsphere {

/// What it takes to use a NIC, besides its port.
struct NicCosts {
  SimTime latency{};  ///< of a message, one way, besides that of the card
  /// Core time for a byte, in picoseconds: of the guest, and of the hypervisor.
  std::int64_t guest_ps_per_byte = 0;
  std::int64_t host_ps_per_byte = 0;
  /// What a virtual function or adapter carries, out and in, where that is less than the port.
  std::optional<topology::LinkResourceIndex> out;
  std::optional<topology::LinkResourceIndex> in;
  std::optional<BytesPerSecond> reported_rate;    ///< to the guest, where not that of the port
  std::optional<BytesPerSecond> connection_rate;  ///< of one TCP connection, where it carries TCP
};

struct VmNic {
  std::size_t host_nic = 0;  ///< index into Host::nics
  const NicMode* mode = nullptr;
  NicCosts costs;

  /// An emulated one, which carries TCP alone.
  [[nodiscard]] bool is_adapter() const { return mode->carrier->is_emulated; }
};

/// What of a GPU a vGPU gets: a MIG instance at all times, a time-sliced one in the long run.
struct GpuShare {
  double compute = 1.0;
  double memory = 1.0;      ///< of its memory's bandwidth
  SimTime wait{};           ///< at most, for its turn
  double neighbours = 0.0;  ///< of MIG: how far the rest of the GPU is in use, 0 to 1
  double slices = 1.0;      ///< of MIG: its compute slices over those of all

  [[nodiscard]] bool is_whole() const {
    return compute == 1.0 && memory == 1.0 && wait == SimTime{0};
  }
  bool operator==(const GpuShare&) const = default;
};

/// A virtual machine, or a host without a hypervisor (bare_metal_gpus()), and what it holds.
struct VirtualMachine {
  std::string name;
  std::size_t host = 0;  ///< index into Topology::hosts
  const GpuMode* mode = &default_gpu_mode();
  GuestTopology guest_topology = GuestTopology::kFlat;
  bool allow_p2p = true;
  /// Whether a NIC may reach its vGPUs at all: a matter of version, GPU and guest system.
  bool gpudirect_rdma = true;
  /// Whether its GPUs reach each other over PCIe below one root port alone, and NICs those below
  /// their root complex.
  bool p2p_below_roots = false;
  /// Whether its GPUs and NVSwitches reduce and broadcast by multicast (NVLS).
  bool multicast = true;
  bool gpus_named = false;        ///< the scenario names its GPUs
  std::vector<std::size_t> gpus;  ///< indices into Host::gpus
  /// Of a machine with some of its GPUs only, the numbers that they have in the whole machine.
  std::vector<std::size_t> gpu_numbers;
  /// For vGPU: by GPU of this VM, which NVLink device group it is in; nothing if in none.
  std::vector<std::optional<std::size_t>> nvlink_group;
  /// By GPU of this VM: those with the same number use the NVLinks that there are between them.
  std::vector<std::optional<std::size_t>> nvlink_reach;
  std::vector<const Profile*> profiles;  ///< of vGPUs, by GPU of this VM; nullptr without one
  std::vector<GpuShare> shares;          ///< by GPU of this VM; none if all are whole
  std::vector<VmNic> nics;
  VmSettings settings;
  std::optional<RemoteClient> remote_client;
  /// What its vCPUs can do; nothing where the cores of the host are its only limit.
  std::optional<topology::LinkResourceIndex> vcpus;
  /// Whether its input lies in the memory of all NUMA nodes instead of the one near each GPU.
  bool spans_memory = false;

  /// Whether its GPU at that position is a vGPU that has all of a GPU.
  [[nodiscard]] bool is_whole_vgpu(std::size_t position) const {
    return profiles[position] != nullptr && profiles[position]->is_whole();
  }
};

/// A host as the guest of nobody: all of its devices, seen as they are.
[[nodiscard]] VirtualMachine bare_metal(const topology::Topology& topology, std::size_t host);

/// The same machine with some of its GPUs only: those at these positions. They keep their numbers.
[[nodiscard]] VirtualMachine with_gpus(const VirtualMachine& vm,
                                       const std::vector<std::size_t>& positions);

}  // namespace vgsim::vsphere
