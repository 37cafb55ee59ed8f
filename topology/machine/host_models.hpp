#pragma once

#include "topology/catalog/parts.hpp"
#include "topology/machine/host_build.hpp"

namespace vgsim::topology::inventory {

/// The model of a GPU: from the completion, else by device id, else the only one with that compute
/// capability. Otherwise null, with an assumption that lists the candidates.
[[nodiscard]] const GpuModel* find_gpu_model(const Device& device, HostBuild& build);

/// The model of a NIC: from the completion for its bus id, else by device id, else, for a NIC
/// without a rate in any file, the completion's common one. If several models share a device id,
/// the one with the nearest rate, or the fastest without a rate. Null if unknown.
[[nodiscard]] const NicModel* find_nic_model(const Device& device, HostBuild& build);

}  // namespace vgsim::topology::inventory
