#pragma once

#include <cstdint>
#include <vector>

#include "topology/catalog/parts.hpp"

namespace vgsim::topology {

/// The PCIe lanes of one socket.
struct LaneUse {
  std::int64_t offered = 0;  ///< in the CPU family's largest model; 0: not known
  std::int64_t taken = 0;    ///< by slots, drives and upward links of PCIe switches
};

/// What the parts of a server take of each socket's lanes; those below a PCIe switch share its
/// upward link. Every part must be below a root complex in the end.
[[nodiscard]] std::vector<LaneUse> lane_use(const ServerModel& server, const CpuModel& cpu);

}  // namespace vgsim::topology
