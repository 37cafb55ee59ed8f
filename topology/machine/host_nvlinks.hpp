#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "topology/device_builder.hpp"
#include "topology/machine/host_build.hpp"
#include "topology/machine/host_tree.hpp"

namespace vgsim::topology::inventory {

/// The NVLinks of a host; GPUs by their index in the host.
struct PlannedNvLinks {
  std::map<std::pair<std::size_t, std::size_t>, std::int64_t> between;  ///< the lower GPU first
  std::map<std::size_t, std::int64_t> to_switch;
  const NvLinkGeneration* generation = nullptr;  ///< null if there are none
  const NvSwitchModel* nvswitch = nullptr;       ///< null if none is used
};

/// The checked NVLinks of the file.
///
/// All NVSwitches are one, as in NCCL. Links of a GPU to itself or to an unlisted device are
/// ignored with a warning; different counts at the two ends are an error. The generation is that of
/// the GPU model, else of the compute capability.
[[nodiscard]] PlannedNvLinks plan_nvlinks(const std::vector<const PlannedDevice*>& gpus,
                                          HostBuild& build);

/// Checks a layout that replaces the file's NVLinks: it must fit the GPUs and their model.
void check_nvlink_layout(const NvLinkLayout& layout, const std::vector<const PlannedDevice*>& gpus,
                         HostBuild& build);

/// Adds the NVLinks to the GPUs of the builder's host.
void build_nvlinks(const PlannedNvLinks& planned, const std::vector<const PlannedDevice*>& gpus,
                   DeviceBuilder& devices);

}  // namespace vgsim::topology::inventory
