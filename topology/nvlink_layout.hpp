#pragma once

#include "topology/catalog/parts.hpp"
#include "topology/device_builder.hpp"

namespace vgsim::topology {

/// Joins the GPUs of the builder's host, all of model `gpu`, as the layout says. GPUs are meant
/// by their index; entries for GPUs that the host lacks are passed over. Does nothing for a GPU
/// without NVLink.
void apply_nvlink_layout(DeviceBuilder& devices, const NvLinkLayout& layout, const GpuModel& gpu);

}  // namespace vgsim::topology
