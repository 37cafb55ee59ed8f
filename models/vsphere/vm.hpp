#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/vsphere/facts/profiles.hpp"
#include "models/vsphere/modes/gpu_modes.hpp"
#include "models/vsphere/modes/nic_modes.hpp"
#include "topology/graph/graph.hpp"

namespace vgsim::vsphere {

/// Costs of a NIC besides its port.
struct NicCosts {
  SimTime latency{};  ///< of a message, one way, besides that of the card
  /// Core time for a byte, in picoseconds: of the guest, and of the hypervisor.
  std::int64_t guest_ps_per_byte = 0;
  std::int64_t host_ps_per_byte = 0;
  /// Limit of a virtual function or adapter, out and in, if it is below that of the port.
  std::optional<topology::LinkResourceIndex> out;
  std::optional<topology::LinkResourceIndex> in;
  std::optional<BytesPerSecond> reported_rate;    ///< to the guest, if it differs from the port's
  std::optional<BytesPerSecond> connection_rate;  ///< of one TCP connection, if it uses TCP
};

struct VmNic {
  std::size_t host_nic = 0;  ///< index into Host::nics
  const NicMode* mode = nullptr;
  NicCosts costs;

  /// An emulated one, which supports only TCP.
  [[nodiscard]] bool is_adapter() const { return mode->carrier->is_emulated; }
};

/// The share of a GPU of a vGPU, 0 to 1: constant for a MIG instance, on average for a time-sliced
/// vGPU.
struct GpuShare {
  double compute = 1.0;
  double memory = 1.0;      ///< of its memory's bandwidth
  SimTime wait{};           ///< longest wait for its time slice
  double neighbours = 0.0;  ///< of MIG: load of the rest of the GPU, 0 to 1
  double slices = 1.0;      ///< of MIG: its compute slices divided by those of the GPU

  [[nodiscard]] bool is_whole() const {
    return compute == 1.0 && memory == 1.0 && wait == SimTime{0};
  }
  bool operator==(const GpuShare&) const = default;
};

/// Where ESXi runs a VM and keeps its memory; see place_on_numa_nodes().
struct NumaPlacement {
  struct Part {
    std::size_t node = 0;    ///< index into Host::sockets
    std::int64_t parts = 0;  ///< of the memory, relative to the other nodes
  };
  /// Its memory; empty if it may be on any node, near each device: on bare metal, and if the number
  /// of vCPUs is unknown.
  std::vector<Part> memory;
  std::vector<std::size_t> nodes;  ///< that run its vCPUs; empty: all
  bool guest_sees_nodes = false;   ///< vNUMA
  double remote_accesses = 0.0;    ///< share of its memory accesses that go to another node
  std::optional<double> cores;     ///< work of its vCPUs in cores
};

/// A virtual machine, or a host without a hypervisor (bare_metal_gpus()), with its devices.
struct VirtualMachine {
  std::string name;
  std::size_t host = 0;  ///< index into Topology::hosts
  const GpuMode* mode = &default_gpu_mode();
  GuestTopology guest_topology = GuestTopology::kFlat;
  bool allow_p2p = true;
  /// Whether version, GPU and guest system support GPUDirect RDMA for its vGPUs.
  bool gpudirect_rdma = true;
  /// Whether its GPUs reach each other over PCIe only below one root port, and NICs only GPUs below
  /// their root complex.
  bool p2p_below_roots = false;
  /// Whether its GPUs and NVSwitches reduce and broadcast by multicast (NVLS).
  bool multicast = true;
  bool gpus_named = false;        ///< the scenario names its GPUs
  std::vector<std::size_t> gpus;  ///< indices into Host::gpus
  /// Of a machine with some of its GPUs only, their numbers in the whole machine.
  std::vector<std::size_t> gpu_numbers;
  /// For vGPU: by GPU of this VM, its NVLink device group; empty if it has none.
  std::vector<std::optional<std::size_t>> nvlink_group;
  /// By GPU of this VM: those with the same number use the NVLinks between them.
  std::vector<std::optional<std::size_t>> nvlink_reach;
  std::vector<const Profile*> profiles;  ///< of vGPUs, by GPU of this VM; nullptr without one
  std::vector<GpuShare> shares;          ///< by GPU of this VM; none if all are whole
  std::vector<VmNic> nics;
  VmSettings settings;
  std::optional<RemoteClient> remote_client;
  /// Of input that reaches the host over a NIC: core time for each byte, and the limit of the VM's
  /// function or adapter.
  NicCosts storage;
  /// The capacity of its vCPUs; empty if only the cores of the host limit it.
  std::optional<topology::LinkResourceIndex> vcpus;
  /// The capacity of the cores of its NUMA node, if VMs there have more vCPUs than it has cores.
  std::optional<topology::LinkResourceIndex> node_cores;
  NumaPlacement numa;

  /// Whether its GPU at that position is a vGPU that has all of a GPU.
  [[nodiscard]] bool is_whole_vgpu(std::size_t position) const {
    return profiles[position] != nullptr && profiles[position]->is_whole();
  }
};

/// A host without a hypervisor as a machine: all of its devices, with their real topology.
[[nodiscard]] VirtualMachine bare_metal(const topology::Topology& topology, std::size_t host);

/// The same machine with some of its GPUs only: those at these positions. They keep their numbers.
[[nodiscard]] VirtualMachine with_gpus(const VirtualMachine& vm,
                                       const std::vector<std::size_t>& positions);

}  // namespace vgsim::vsphere
