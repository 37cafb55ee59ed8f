#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/collectives/nccl/paths.hpp"
#include "models/collectives/nccl/settings.hpp"

namespace vgsim::collectives::nccl {

/// The transport between two ranks of a host.
enum class Transport : std::uint8_t {
  kSelf,
  kP2p,  ///< stores and loads between GPUs
  kShm,  ///< through a buffer in host memory
  kNet,  ///< out of a NIC and back in
};

/// "self", "P2P", "SHM", "NET".
[[nodiscard]] const char* to_string(Transport transport);

/// GPUDirect RDMA between a GPU and a NET.
struct GdrUse {
  bool send = false;     ///< the NIC reads the GPU's memory
  bool receive = false;  ///< the NIC writes the GPU's memory

  bool operator==(const GdrUse&) const = default;
};

/// A graph with the paths that NCCL's search uses: pairs without P2P communicate through host
/// memory, as do GPU and NIC without GPUDirect RDMA; a GPU reaches distant NICs through another GPU
/// (PXN).
struct Connected {
  Graph graph;
  Paths paths;
  std::vector<std::vector<Transport>> transports;  ///< [GPU][GPU], by index in the graph
  std::vector<std::vector<GdrUse>> gdr;            ///< [GPU][NET]
  /// [GPU][NET]: the GPU that sends to the NET on behalf of this one; itself without PXN.
  std::vector<std::vector<std::size_t>> relay;
  std::vector<int> net_gpu;  ///< [NET]: the GPU that it belongs to; -1 if none

  bool operator==(const Connected&) const = default;
};

[[nodiscard]] Connected connect(Graph graph, const Rules& rules, const Settings& settings);

/// The GPUs of the graph in groups that do not need the NET among themselves: each group is one
/// NCCL node.
[[nodiscard]] std::vector<std::vector<std::size_t>> domains(const Connected& connected);

}  // namespace vgsim::collectives::nccl
