#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "models/calibration/parameters.hpp"
#include "models/vsphere/facts/versions.hpp"
#include "models/vsphere/vm.hpp"

namespace vgsim::vsphere {

/// The reason why an operation is unavailable for a VM; empty if it is available. "DRS" is load
/// balancing.
/// Source: F. Denneman 2023-05-10, and VMware's documentation of each release for vMotion and DRS
/// with vGPU, DirectPath I/O and SR-IOV.
[[nodiscard]] std::optional<std::string> lacks(const VirtualMachine& vm, Operation operation,
                                               const Versions& versions, std::string_view version);

/// Whether DRS chooses a host at power-on for a VM whose devices prevent vMotion.
[[nodiscard]] bool is_placed_by_drs(const VirtualMachine& vm, const Versions& versions,
                                    std::string_view version);

/// The expected stun of a VM with vGPUs during vMotion: a constant plus the used framebuffer
/// divided by the copy rate of its GPU over `network`, summed over the vGPUs. From 9.0 on memory
/// that the guest does not change is copied before the stun. `network`: payload rate of the slower
/// of both hosts. Source: stun_* in configs/parameters/vsphere.json, fits of VMware's tables for
/// P40 and V100 (6.7 and 7.0, 10 Gbit/s); other GPUs are assumed like a V100, with a range of 0.6
/// to 2.
[[nodiscard]] SimTime expected_stun(const VirtualMachine& vm, BytesPerSecond network,
                                    const Versions& versions, std::string_view version,
                                    const calibration::Parameters& parameters);

/// The largest stun that vSphere estimates and compares with the VM's stun limit: a constant per
/// vGPU, and the framebuffer of whole profiles and a share of the guest's memory divided by a share
/// of `network` (as above). Source: stun_estimate_* in configs/parameters/vsphere.json, a fit of
/// VMware's table of worst cases (7.0).
[[nodiscard]] SimTime largest_stun(const VirtualMachine& vm, BytesPerSecond network,
                                   const Versions& versions, std::string_view version,
                                   const calibration::Parameters& parameters);

}  // namespace vgsim::vsphere
