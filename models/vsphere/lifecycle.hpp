#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "models/calibration/parameters.hpp"
#include "models/vsphere/facts/versions.hpp"
#include "models/vsphere/vm.hpp"

namespace vgsim::vsphere {

/// Why a VM does not have an operation; nothing if it has it. "DRS" is the balancing of load.
/// Source: F. Denneman 2023-05-10, and VMware's documentation of each release for vMotion and DRS
/// with vGPU, DirectPath I/O and SR-IOV.
[[nodiscard]] std::optional<std::string> lacks(const VirtualMachine& vm, Operation operation,
                                               const Versions& versions, std::string_view version);

/// How long vMotion is expected to stop a VM with vGPUs: a constant, and the used framebuffer over
/// what vMotion makes of its network with that GPU. The contributions of several vGPUs add up; from
/// 9.0 on what the guest does not change is copied before. `network` is that of the slower of both
/// hosts. Fits of VMware's tables for P40 and V100; other GPUs are taken for a V100.
[[nodiscard]] SimTime expected_stun(const VirtualMachine& vm, BytesPerSecond network,
                                    const Versions& versions, std::string_view version,
                                    const calibration::Parameters& parameters);

/// The largest stun that vSphere estimates, which it holds against the VM's stun limit: the sum
/// over its vGPUs, for whole profiles, and a part of the guest's memory. Fit of VMware's table of
/// worst cases.
[[nodiscard]] SimTime largest_stun(const VirtualMachine& vm, BytesPerSecond network,
                                   const Versions& versions, std::string_view version,
                                   const calibration::Parameters& parameters);

}  // namespace vgsim::vsphere
