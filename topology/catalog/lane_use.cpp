#include "topology/catalog/lane_use.hpp"

namespace vgsim::topology {

std::vector<LaneUse> lane_use(const ServerModel& server, const CpuModel& cpu) {
  const bool shared = server.sockets > 1 && cpu.pcie_lanes_beside_others > 0;
  const std::int64_t offered = shared ? cpu.pcie_lanes_beside_others : cpu.pcie_lanes;
  std::vector<LaneUse> sockets(static_cast<std::size_t>(server.sockets), {offered, 0});
  const auto take = [&](const PcieAttachment& part) {
    const auto complex = server.root_complexes.find(part.under);
    if (complex == server.root_complexes.end()) return;
    sockets.at(static_cast<std::size_t>(complex->second.socket)).taken += part.lanes;
  };
  for (const auto& [name, uplink] : server.pcie_switches) take(uplink);
  for (const PcieAttachment& slot : server.gpu_slots) take(slot);
  for (const auto& [name, slot] : server.nic_slots) take(slot);
  if (server.nvme) take(*server.nvme);
  return sockets;
}

}  // namespace vgsim::topology
