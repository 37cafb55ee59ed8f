#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/collectives/transport.hpp"
#include "sim/network.hpp"
#include "sim/units.hpp"
#include "topology/graph/graph.hpp"
#include "topology/graph/paths.hpp"

namespace vgsim::vsphere {
class GuestView;
struct NicCosts;
}  // namespace vgsim::vsphere

namespace vgsim::collectives {

/// Where data leaves a VM by a NIC: to the network, or to another VM on the same virtual switch,
/// without using the card.
enum class Reach : std::uint8_t { kNetwork, kVirtualSwitch };

/// The number of peers that a GPU exchanges data with at once.
enum class Partners : std::uint8_t { kOne, kMany };

/// The resources that a byte uses between two GPUs, or on a part of that path.
struct Hop {
  Transport transport = Transport::kNvLink;
  SimTime latency{};  ///< added by the kind of NIC to the transport's own latency
  std::optional<BytesPerSecond> connection_rate;  ///< of one TCP connection over the NIC
  /// ResourceId = LinkResourceIndex of the topology; sorted, each resource once.
  std::vector<Crossing> crossings;
  /// For RDMA and similar transports: data passes through host memory between GPU and NIC (no
  /// GPUDirect), which kernels read over PCIe.
  bool staged = false;

  bool operator==(const Hop&) const = default;
};

/// The resources of a byte that uses one of several equally likely paths.
struct SharedPath {
  std::vector<Crossing> crossings;  ///< of one byte on each path
  std::int64_t parts = 0;           ///< number of paths
  std::int64_t remote_parts = 0;    ///< of them between sockets
};

/// The resources that data uses between the GPUs of one VM, and between its GPUs and NICs, for a
/// given path. NCCL chooses the path.
///
/// Host staging writes into memory near the receiver and reads from it: two PCIe passes and two
/// passes over that memory bus (NCCL's SHM transport). A NIC without GPUDirect RDMA reads from
/// memory near the GPU in the same way. Kernels that access host memory, and peers that communicate
/// through a root complex, also use the capacity of root ports for such traffic (RootPort). A root
/// complex forwards the writes of one peer to one other at full rate; writes of many peers to many
/// wait for each other in order (NCCL issues 1285 and 1603). With access control services (ACS),
/// peers under one switch communicate through its root complex as well.
class HopPlanner {
 public:
  HopPlanner(const topology::Topology& topology, const vsphere::GuestView& view);

  /// Peer-to-peer over NVLink if that is the better path, else over PCIe. Throws std::logic_error
  /// for GPUs without peer access in the guest.
  [[nodiscard]] Hop peer_to_peer(std::size_t from_gpu, std::size_t to_gpu,
                                 Partners partners = Partners::kOne) const;
  /// Whether the VM's GPUs are behind more than two root ports, so that one port can have to
  /// forward to several others.
  [[nodiscard]] bool meet_at_many_ports() const;
  [[nodiscard]] Hop staged(std::size_t from_gpu, std::size_t to_gpu) const;
  /// From a GPU to a NIC's port, directly or through the GPU `relay` next to the NIC (PXN).
  [[nodiscard]] Hop send(std::size_t gpu, std::size_t nic, bool direct,
                         std::optional<std::size_t> relay, Reach reach = Reach::kNetwork) const;
  /// From a NIC's port to a GPU.
  [[nodiscard]] Hop receive(std::size_t nic, std::size_t gpu, bool direct,
                            Reach reach = Reach::kNetwork) const;
  /// From one GPU to another through a NIC of the same VM, inside the card.
  [[nodiscard]] Hop by_nic(std::size_t from_gpu, std::size_t out_nic, std::size_t in_nic,
                           std::size_t to_gpu, bool direct) const;
  /// The NVLinks of a GPU to or from its NVSwitch.
  [[nodiscard]] Hop to_switch(std::size_t gpu) const;
  [[nodiscard]] Hop from_switch(std::size_t gpu) const;
  /// An input batch from host memory to the GPU. The latency is that of the links.
  [[nodiscard]] SharedPath host_to_device(std::size_t gpu) const;
  [[nodiscard]] SimTime host_to_device_latency(std::size_t gpu) const;
  /// From the host's storage to that memory; nothing without storage.
  [[nodiscard]] std::optional<SharedPath> storage_to_host(std::size_t gpu) const;
  /// The same straight to the GPU (GPUDirect Storage).
  [[nodiscard]] std::optional<SharedPath> storage_to_device(std::size_t gpu) const;
  /// The resources of one picosecond of work of one core: the VM's vCPUs and the host's cores.
  [[nodiscard]] std::vector<Crossing> core_time() const;

 private:
  using Path = topology::Path;

  [[nodiscard]] topology::Vertex storage_entry(std::vector<Crossing>& crossings) const;

  void cross(const Path& path, std::vector<Crossing>& crossings) const;
  /// A hop over a NIC with its core time only.
  [[nodiscard]] Hop network_hop(std::size_t nic, bool direct) const;
  struct InputMemory {
    topology::Vertex memory{};
    std::int64_t parts = 0;
  };
  [[nodiscard]] std::vector<InputMemory> input_memories(std::size_t gpu) const;
  void cross_cores(const vsphere::NicCosts& costs, std::int64_t times,
                   std::vector<Crossing>& crossings) const;
  void cross_parts(const Path& path, std::int64_t parts, SharedPath& shared) const;
  [[nodiscard]] std::vector<topology::Vertex> vm_memories() const;
  /// The same for a kernel that accesses host memory.
  void cross_staged(const Path& path, std::vector<Crossing>& crossings) const;
  [[nodiscard]] topology::Vertex memory_near(std::size_t gpu) const;
  [[nodiscard]] Path from_memory(topology::Vertex memory, topology::Vertex to) const;
  [[nodiscard]] Path pcie_path(topology::Vertex from, topology::Vertex to) const;
  void cross_iommu(const topology::Path& path, std::vector<Crossing>& crossings) const;
  /// From a GPU to a device over PCIe, peer-to-peer; through the root complex if ACS requires it.
  void cross_peers(topology::Vertex from, topology::Vertex to, Partners partners,
                   std::vector<Crossing>& crossings) const;

  [[nodiscard]] const topology::HostPaths& paths_from(topology::Vertex from) const;

  const topology::Topology* topology_;
  const vsphere::GuestView* view_;
  mutable std::map<topology::Vertex, topology::HostPaths> paths_;  ///< over PCIe, cached
};

}  // namespace vgsim::collectives
