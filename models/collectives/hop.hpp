#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/vsphere/guest_view.hpp"
#include "sim/network.hpp"
#include "sim/units.hpp"
#include "topology/graph.hpp"

namespace vgsim::collectives {

/// How data gets from one rank to the next.
enum class Transport : std::uint8_t { kNvLink, kPcie, kHostStaging, kNetwork };

/// "NVLink", "PCIe peer-to-peer", "host memory", "network".
[[nodiscard]] const char* to_string(Transport transport);

/// What a byte crosses on its way from one GPU to another, or on a part of that way.
struct Hop {
  Transport transport = Transport::kNvLink;
  /// ResourceId = LinkResourceIndex of the topology; sorted, each resource once.
  std::vector<Crossing> crossings;
  bool through_memory = false;  ///< a network hop without GPUDirect RDMA
};

/// Hops between the GPUs of one VM, and between its GPUs and its NICs.
///
/// Host staging writes into memory near the receiver and reads from there: two PCIe passes and
/// two passes over that memory bus (NCCL's SHM transport). A NIC without GPUDirect RDMA is fed
/// from memory near the GPU, in the same way. A GPU far from a NIC sends through the GPU next to
/// it if NVLink joins them (PXN, NCCL 2.12 and later; sending only). NICs that are equally near to
/// several GPUs are dealt out among them.
class HopPlanner {
 public:
  HopPlanner(const topology::Topology& topology, const vsphere::GuestView& view);

  [[nodiscard]] Hop between(std::size_t from_gpu, std::size_t to_gpu) const;
  /// From a GPU out of a NIC's port.
  [[nodiscard]] Hop send(std::size_t gpu, std::size_t nic) const;
  /// From a NIC's port to a GPU.
  [[nodiscard]] Hop receive(std::size_t nic, std::size_t gpu) const;
  /// From host memory near the GPU to the GPU: an input batch. Its latency is that of the links.
  [[nodiscard]] std::vector<Crossing> host_to_device(std::size_t gpu) const;
  [[nodiscard]] SimTime host_to_device_latency(std::size_t gpu) const;
  /// From the host's storage into memory near the GPU; nothing without storage.
  [[nodiscard]] std::optional<std::vector<Crossing>> storage_to_host(std::size_t gpu) const;

 private:
  using Path = topology::Path;

  void cross(const Path& path, std::vector<Crossing>& crossings) const;
  [[nodiscard]] topology::Vertex memory_near(std::size_t gpu) const;
  [[nodiscard]] Path from_memory(topology::Vertex memory, topology::Vertex to) const;
  [[nodiscard]] std::optional<std::size_t> relay_gpu(std::size_t gpu, std::size_t nic) const;

  const topology::Topology* topology_;
  const vsphere::GuestView* view_;
};

}  // namespace vgsim::collectives
