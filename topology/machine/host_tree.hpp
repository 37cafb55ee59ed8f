#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "topology/device_builder.hpp"
#include "topology/machine/host_build.hpp"

namespace vgsim::topology::inventory {

/// A PCI function of the inventory and its role in the host.
struct PlannedDevice {
  enum class Role : std::uint8_t { kSwitch, kGpu, kNic };
  Role role = Role::kSwitch;
  const Device* from = nullptr;
  PcieWidth width;                   ///< of the link above it
  const GpuModel* gpu = nullptr;     ///< of a GPU; null if unknown
  const NicModel* nic = nullptr;     ///< of a NIC; null if unknown
  std::vector<PlannedDevice> below;  ///< of a switch; never empty
};

/// The devices of one root complex: a top-level PCI function with its descendants, or several
/// top-level functions.
using PlannedTree = std::vector<PlannedDevice>;

/// The role of each PCI function of a NUMA node, by tree; trees without a device are omitted.
///
/// Switches: class 0604 (or any function with children), the two levels of Broadcom switches merged
/// as in NCCL, emulated bridges as fast as their children. GPUs and NICs: by completion, by
/// content, by class. NVSwitches are omitted: the GPUs' NVLinks imply them. Reports devices of
/// unknown role.
[[nodiscard]] std::vector<PlannedTree> plan_devices(const std::vector<const NumaNode*>& nodes,
                                                    HostBuild& build);

/// Collects all GPUs or all NICs, in the order of the tree.
void collect_devices(const PlannedTree& tree, PlannedDevice::Role role,
                     std::vector<const PlannedDevice*>& found);

/// The names in the dump of GPUs of unknown model, each once: ", \"NVIDIA H30\", which is not in
/// the catalogue (nearest: h20-sxm5-96gb)". Empty if the dump has none.
[[nodiscard]] std::string unknown_gpu_names(const std::vector<const PlannedDevice*>& gpus,
                                            const Catalog& catalog);

}  // namespace vgsim::topology::inventory
