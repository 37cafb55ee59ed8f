#pragma once

#include <string>
#include <vector>

#include "models/scenario/build/vm_placement.hpp"

namespace vgsim::cli {

/// "gpu0 gpu1 (nvidia_h100xm-80c)": the GPUs of a VM.
[[nodiscard]] std::string taken_gpus_text(const vsphere::PlacementStep& step);

/// "1 of 4, 3 of 2, 6 of 1".
[[nodiscard]] std::string free_groups_text(const vsphere::FreeGroups& free);

/// The host of every VM in power-on order, and the free resources of every host.
[[nodiscard]] std::string placement_text(const std::vector<scenario::LayoutPlacement>& layouts);

}  // namespace vgsim::cli
