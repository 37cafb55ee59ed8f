#pragma once

#include "topology/catalog/parts.hpp"
#include "topology/device_builder.hpp"

namespace vgsim::topology {

/// Connects the GPUs of the builder's host, all of model `gpu`, according to the layout. GPUs are
/// identified by index; entries for GPUs that do not exist are ignored. No effect for GPUs without
/// NVLink.
void apply_nvlink_layout(DeviceBuilder& devices, const NvLinkLayout& layout, const GpuModel& gpu);

}  // namespace vgsim::topology
