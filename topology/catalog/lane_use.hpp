#pragma once

#include <cstdint>
#include <vector>

#include "topology/catalog/parts.hpp"

namespace vgsim::topology {

/// The PCIe lanes of one socket.
struct LaneUse {
  std::int64_t offered = 0;  ///< of the largest model of the CPU family; 0: unknown
  std::int64_t taken = 0;    ///< by slots, drives and uplinks of PCIe switches
};

/// PCIe lanes that the parts of a server use, by socket. Parts below a PCIe switch share its
/// uplink. Every part must be below a root complex, directly or indirectly.
[[nodiscard]] std::vector<LaneUse> lane_use(const ServerModel& server, const CpuModel& cpu);

}  // namespace vgsim::topology
