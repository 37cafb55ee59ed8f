#pragma once

#include <cstddef>
#include <cstdint>

namespace vgsim::collectives {

/// How data gets from one rank to the next.
enum class Transport : std::uint8_t {
  kNvLink,
  kPcie,           ///< peer-to-peer below a root complex
  kPcieRoot,       ///< peer-to-peer through a root complex
  kHostStaging,    ///< through host memory
  kNetwork,        ///< RDMA that reads and writes GPU memory (GPUDirect RDMA)
  kStagedNetwork,  ///< RDMA that is fed from host memory
  kSocket,         ///< TCP
  kEfa,            ///< AWS EFA, by its plug-in
  kTcpx,           ///< GPUDirect-TCPX, by its plug-in
  kTcpxo,          ///< GPUDirect-TCPXO, by its plug-in
  kOfi,            ///< other networks by the libfabric plug-in: Slingshot
};
inline constexpr std::size_t kTransports = 11;

/// "NVLink", "PCIe peer-to-peer", "host memory", "network".
[[nodiscard]] const char* to_string(Transport transport);

}  // namespace vgsim::collectives
