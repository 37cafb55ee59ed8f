#pragma once

#include <hwloc.h>

#include <vector>

#include "topology/importers/file_notes.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology {

/// Adds the facts of NVML, CUDA, ROCm and OpenCL devices to their GPU, in this order of priority.
/// Of several of one kind, which are partitions of the GPU, the first is used.
void read_hwloc_gpu(const std::vector<hwloc_obj_t>& os_devices, inventory::Device& gpu,
                    FileNotes& notes);

/// Ports of a NIC: those of its RDMA device, else its network interfaces.
[[nodiscard]] std::vector<inventory::Port> read_hwloc_ports(
    const std::vector<hwloc_obj_t>& os_devices, const FileNotes& notes);

/// Whether an OS device is a GPU, by its name ("opencl0d1").
[[nodiscard]] bool is_hwloc_gpu(hwloc_obj_t os_device);

}  // namespace vgsim::topology
