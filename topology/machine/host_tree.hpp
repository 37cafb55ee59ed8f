#pragma once

#include <cstdint>
#include <vector>

#include "topology/device_builder.hpp"
#include "topology/machine/host_build.hpp"

namespace vgsim::topology::inventory {

/// A PCI function of the inventory and what it stands for.
struct PlannedDevice {
  enum class Role : std::uint8_t { kSwitch, kGpu, kNic };
  Role role = Role::kSwitch;
  const Device* from = nullptr;
  PcieWidth width;                   ///< of the link above it
  const GpuModel* gpu = nullptr;     ///< of a GPU; null if unknown
  const NicModel* nic = nullptr;     ///< of a NIC; null if unknown
  std::vector<PlannedDevice> below;  ///< of a switch; never empty
};

/// What hangs on one root complex: a top-level PCI function with all below it, or several
/// that share one.
using PlannedTree = std::vector<PlannedDevice>;

/// What each PCI function of a NUMA node is, tree by tree; trees without a device are left out.
///
/// Switches: class 0604 (or anything with devices below it), Broadcom's two levels merged into one
/// as NCCL does, bridges that a hypervisor emulates as fast as what is below them. GPUs and NICs:
/// by completion, by what is inside, by class. NVSwitches are left out: the GPUs' NVLinks tell of
/// them. Reports devices of which nothing tells what they are.
[[nodiscard]] std::vector<PlannedTree> plan_devices(const std::vector<const NumaNode*>& nodes,
                                                    HostBuild& build);

/// All GPUs below, or all NICs, in the order of the tree.
void collect_devices(const PlannedTree& tree, PlannedDevice::Role role,
                     std::vector<const PlannedDevice*>& found);

}  // namespace vgsim::topology::inventory
