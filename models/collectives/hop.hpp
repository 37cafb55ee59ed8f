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
}

namespace vgsim::collectives {

/// How far data goes that leaves a VM by a NIC: to the network, or to another VM on the same
/// virtual switch, so that the card is not used.
enum class Reach : std::uint8_t { kNetwork, kVirtualSwitch };

/// With how many others a GPU exchanges data at once.
enum class Partners : std::uint8_t { kOne, kMany };

/// What a byte crosses on its way from one GPU to another, or on a part of that way.
struct Hop {
  Transport transport = Transport::kNvLink;
  SimTime latency{};  ///< what the kind of NIC adds to the transport's own
  std::optional<BytesPerSecond> connection_rate;  ///< of one TCP connection over the NIC
  /// ResourceId = LinkResourceIndex of the topology; sorted, each resource once.
  std::vector<Crossing> crossings;
  /// Of RDMA and the like: data stops in host memory between GPU and NIC (no GPUDirect).
  bool staged = false;

  bool operator==(const Hop&) const = default;
};

/// What a byte crosses that goes over one of several paths, over each as likely.
struct SharedPath {
  std::vector<Crossing> crossings;  ///< of a byte on each of them
  std::int64_t parts = 0;           ///< paths
};

/// What data crosses between the GPUs of one VM, and between its GPUs and its NICs, for a given way
/// of getting there; which way is NCCL's choice.
///
/// Host staging writes into memory near the receiver and reads from there: two PCIe passes and
/// two passes over that memory bus (NCCL's SHM transport). A NIC without GPUDirect RDMA is fed
/// from memory near the GPU, in the same way. Kernels that read and write host memory, and peers
/// that meet at a root complex, also load what the root ports can do of that (RootPort). A root
/// complex forwards the writes of one peer to one other well, and those of many to many badly:
/// they wait for each other in order (NCCL issues 1285 and 1603). With access control services on,
/// peers under one switch meet at its root complex as well.
class HopPlanner {
 public:
  HopPlanner(const topology::Topology& topology, const vsphere::GuestView& view);

  /// Peer-to-peer over NVLink where that is the better path, else over PCIe. Throws
  /// std::logic_error for GPUs that cannot be peers in the guest.
  [[nodiscard]] Hop peer_to_peer(std::size_t from_gpu, std::size_t to_gpu,
                                 Partners partners = Partners::kOne) const;
  /// Whether the VM's GPUs are behind more than two root ports, so that one port may have to
  /// forward to several others.
  [[nodiscard]] bool meet_at_many_ports() const;
  [[nodiscard]] Hop staged(std::size_t from_gpu, std::size_t to_gpu) const;
  /// From a GPU out of a NIC's port, straight or by the GPU `relay` next to the NIC (PXN).
  [[nodiscard]] Hop send(std::size_t gpu, std::size_t nic, bool direct,
                         std::optional<std::size_t> relay, Reach reach = Reach::kNetwork) const;
  /// From a NIC's port to a GPU.
  [[nodiscard]] Hop receive(std::size_t nic, std::size_t gpu, bool direct,
                            Reach reach = Reach::kNetwork) const;
  /// From one GPU to another by a NIC of the same VM, whose port it does not leave.
  [[nodiscard]] Hop by_nic(std::size_t from_gpu, std::size_t out_nic, std::size_t in_nic,
                           std::size_t to_gpu, bool direct) const;
  /// A GPU's NVLinks to its NVSwitch, or from it.
  [[nodiscard]] Hop to_switch(std::size_t gpu) const;
  [[nodiscard]] Hop from_switch(std::size_t gpu) const;
  /// From the host memory that input lies in to the GPU: an input batch. Its latency is that of the
  /// links.
  [[nodiscard]] SharedPath host_to_device(std::size_t gpu) const;
  [[nodiscard]] SimTime host_to_device_latency(std::size_t gpu) const;
  /// From the host's storage into that memory; nothing without storage.
  [[nodiscard]] std::optional<SharedPath> storage_to_host(std::size_t gpu) const;
  /// The same straight to the GPU (GPUDirect Storage).
  [[nodiscard]] std::optional<SharedPath> storage_to_device(std::size_t gpu) const;
  /// What a picosecond of work of one core takes: of the VM's vCPUs and the host's cores.
  [[nodiscard]] std::vector<Crossing> core_time() const;

 private:
  using Path = topology::Path;

  [[nodiscard]] topology::Vertex storage_entry(std::vector<Crossing>& crossings) const;

  void cross(const Path& path, std::vector<Crossing>& crossings) const;
  /// A hop over a NIC, with the core time that it takes and nothing else yet.
  [[nodiscard]] Hop network_hop(std::size_t nic, bool direct) const;
  [[nodiscard]] std::vector<topology::Vertex> input_memories(std::size_t gpu) const;
  /// The same for what a kernel reads or writes in host memory.
  void cross_staged(const Path& path, std::vector<Crossing>& crossings) const;
  [[nodiscard]] topology::Vertex memory_near(std::size_t gpu) const;
  [[nodiscard]] Path from_memory(topology::Vertex memory, topology::Vertex to) const;
  [[nodiscard]] Path pcie_path(topology::Vertex from, topology::Vertex to) const;
  /// GPU to a device over PCIe, peer-to-peer: by the root complex if access control asks for it.
  void cross_peers(topology::Vertex from, topology::Vertex to, Partners partners,
                   std::vector<Crossing>& crossings) const;

  [[nodiscard]] const topology::HostPaths& paths_from(topology::Vertex from) const;

  const topology::Topology* topology_;
  const vsphere::GuestView* view_;
  mutable std::map<topology::Vertex, topology::HostPaths> paths_;  ///< over PCIe, once found
};

}  // namespace vgsim::collectives
