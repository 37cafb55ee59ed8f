#pragma once

#include <cstdint>

namespace vgsim::topology {

/// NCCL's path classes, best first (NVIDIA/nccl src/graph/topo.h, PATH_*).
enum class PathClass : std::uint8_t {
  kLoc,  ///< the same device
  kNvl,  ///< NVLink, direct or through NVSwitch
  kNvb,  ///< NVLink through one other GPU
  kPix,  ///< at most one PCIe switch
  kPxb,  ///< several PCIe switches, no CPU
  kPhb,  ///< through a CPU's root complex
  kSys,  ///< through the link between sockets (NUMA nodes)
  kNet,  ///< over the network, to another host
  kDis,  ///< not connected
};

/// "LOC", "NVL", "NVB", "PIX", "PXB", "PHB", "SYS", "NET", "DIS".
[[nodiscard]] const char* to_string(PathClass path_class);

}  // namespace vgsim::topology
