#pragma once

#include "topology/catalog/parts.hpp"
#include "topology/machine/host_build.hpp"

namespace vgsim::topology::inventory {

/// The model of a GPU: of the completion, else by device id, else the only one with that compute
/// capability. Null, with an assumption that lists the candidates, if that is not enough.
[[nodiscard]] const GpuModel* find_gpu_model(const Device& device, HostBuild& build);

/// The model of a NIC: of the completion for its bus id, else by device id, else, for a NIC whose
/// rate no file gives, the completion's common one. Where several models share a device
/// id, the one whose rate is nearest to the file's, else the fastest. Null if unknown.
[[nodiscard]] const NicModel* find_nic_model(const Device& device, HostBuild& build);

}  // namespace vgsim::topology::inventory
