#pragma once

#include <cstdint>

namespace vgsim::topology {

/// The kind of a vertex of the device graph.
enum class NodeKind : std::uint8_t {
  kSocket,
  kMemory,
  kRootComplex,
  kPcieSwitch,
  kGpu,
  kNvSwitch,
  kNic,
  kStorage,
};

/// The kind of an edge of the device graph. Each direction of a link is an edge.
enum class LinkKind : std::uint8_t {
  kNvLink,
  kPcie,
  kOnDie,        ///< inside a socket: root complex to mesh; unlimited
  kSocketLink,   ///< UPI, xGMI
  kMemoryBus,    ///< socket to its DRAM; half-duplex, both directions share one resource
  kStorage,      ///< a drive's own interface
  kRootPort,     ///< forwarding of a root port between kernels or peers; not an edge of the graph
  kNicPort,      ///< between a NIC and its leaf, at the port's rate; not an edge of the graph
  kFabric,       ///< between leaf and spine; not an edge of the graph (see fabric.hpp)
  kNicFunction,  ///< share of a NIC port for one VM; not an edge of the graph
  kCpu,          ///< cores of a host or vCPUs of a VM; not an edge of the graph
};

[[nodiscard]] const char* to_string(NodeKind kind);
/// The word used in results: "nvlink", "pcie", "socket-link", "memory", "storage", "root-port",
/// "nic", "fabric", "nic-function", "cpu".
[[nodiscard]] const char* to_string(LinkKind kind);

/// The NCCL network of a NIC: built-in InfiniBand or socket, or a plug-in.
enum class NetKind : std::uint8_t { kIb, kSocket, kEfa, kTcpx, kTcpxo, kOfi };

}  // namespace vgsim::topology
