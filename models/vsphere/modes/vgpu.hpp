#pragma once

#include "models/vsphere/modes/gpu_modes.hpp"

namespace vgsim::vsphere {

// The mechanism of vGPU: see the members of GpuMode of the same names.

[[nodiscard]] std::optional<std::string> vgpu_lacks(const VirtualMachine& vm, Operation operation,
                                                    const Versions& versions,
                                                    std::string_view version);

/// Sources: rules "vgpu-nvlink-..." and "unified-memory-no-nvlink".
[[nodiscard]] std::optional<Restriction> vgpu_nvlink_restriction(const VirtualMachine& vm,
                                                                 const HostInventory& host,
                                                                 const Versions& versions,
                                                                 std::string_view version);

/// Whole vGPUs reach each other; on an NVSwitch board those of one device group do.
[[nodiscard]] NvlinkReach vgpu_nvlink_reach(const VirtualMachine& vm, const HostInventory& host);

/// Sources: rules "gpudirect-vgpu-..." and "gpudirect-guest-os".
[[nodiscard]] std::optional<Restriction> vgpu_gpudirect_restriction(const VirtualMachine& vm,
                                                                    const HostInventory& host,
                                                                    const Versions& versions,
                                                                    std::string_view version);

}  // namespace vgsim::vsphere
