#pragma once

#include <cstdint>
#include <vector>

#include "models/vsphere/vm.hpp"
#include "topology/graph/graph.hpp"
#include "topology/graph/paths.hpp"

namespace vgsim::vsphere {

/// How two GPUs of one VM reach each other in the guest.
enum class PeerAccess : std::uint8_t {
  kNvLink,       ///< peer-to-peer over NVLink
  kPcie,         ///< peer-to-peer over PCIe
  kHostStaging,  ///< no peer-to-peer: through host memory
};

/// The part of the host's graph that NCCL in one guest can use.
///
/// Usable NVLinks depend on version, profile and board, see nvlink.hpp. PCIe peer-to-peer needs
/// passthrough with allowP2P, and a detected path class of PXB or better (NCCL's default P2P level
/// since 2.23); so does GPUDirect RDMA from an RDMA NIC. A flat guest tree shows PHB everywhere, a
/// vNUMA one PHB or SYS. Sources: NVIDIA vGPU documentation (peer-to-peer),
/// NVIDIA/nccl src/graph/paths.cc.
class GuestView {
 public:
  GuestView(const topology::Topology& topology, const VirtualMachine& vm);

  [[nodiscard]] const VirtualMachine& vm() const { return vm_; }
  [[nodiscard]] std::size_t gpu_count() const { return vm_.gpus.size(); }
  [[nodiscard]] topology::Vertex gpu(std::size_t g) const;
  [[nodiscard]] const topology::HostNic& nic(std::size_t n) const;

  /// The network kind of a NIC in the guest: sockets for vmxnet3, for every card.
  [[nodiscard]] topology::NetKind net_kind(std::size_t n) const;

  /// The rate of a NIC that the guest sees.
  [[nodiscard]] BytesPerSecond reported_rate(std::size_t n) const;

  /// Indices are those of the VM's GPUs and NICs.
  [[nodiscard]] PeerAccess peer_access(std::size_t a, std::size_t b) const;
  [[nodiscard]] bool gpudirect_rdma(std::size_t gpu, std::size_t nic) const;
  /// Whether the guest supports peer-to-peer between two GPUs, over NVLink or PCIe, for any limit
  /// of NCCL. Other GPUs exchange data only through host memory or a NIC.
  [[nodiscard]] bool can_be_peers(std::size_t a, std::size_t b) const;
  /// GPUs of one island use the NVLinks between them, if they have any.
  [[nodiscard]] std::size_t nvlink_island(std::size_t gpu) const;
  /// Whether peer-to-peer over PCIe is possible: not for vGPUs, and not if allowP2P or the driver
  /// disables it.
  [[nodiscard]] bool pcie_p2p() const;
  /// Whether an NVSwitch can reduce and broadcast for its GPUs (NVLS).
  [[nodiscard]] bool multicast() const { return vm_.multicast; }
  /// GPUs of one island reach each other over PCIe, if pcie_p2p(); numbers from 0.
  [[nodiscard]] std::size_t pcie_island(std::size_t gpu) const;
  /// Whether a NIC can read and write GPU memory at all: RDMA, passed through or a virtual function
  /// of it, allowP2P.
  [[nodiscard]] bool nic_can_reach_gpus(std::size_t nic) const;
  /// Whether it can read and write the memory of that GPU: in a VM, one under the same root
  /// complex.
  [[nodiscard]] bool nic_can_reach(std::size_t gpu, std::size_t nic) const;
  /// The path class in the host.
  [[nodiscard]] topology::PathClass peer_class(std::size_t a, std::size_t b) const;
  [[nodiscard]] topology::PathClass nic_class(std::size_t gpu, std::size_t nic) const;
  /// Whether NCCL detects the PCIe switches.
  [[nodiscard]] bool sees_pcie_tree() const;

  /// Paths from a GPU of the VM, with and without NVLink.
  [[nodiscard]] const topology::HostPaths& paths(std::size_t gpu) const { return paths_[gpu]; }
  [[nodiscard]] const topology::HostPaths& pcie_paths(std::size_t gpu) const {
    return pcie_paths_[gpu];
  }

 private:
  [[nodiscard]] bool nvlink_survives(std::size_t a, std::size_t b) const;

  const topology::Topology* topology_;
  VirtualMachine vm_;
  std::vector<topology::HostPaths> paths_;
  std::vector<topology::HostPaths> pcie_paths_;
};

}  // namespace vgsim::vsphere
