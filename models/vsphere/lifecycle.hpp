#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "models/calibration/parameters.hpp"
#include "models/vsphere/facts/versions.hpp"
#include "models/vsphere/spec/host_settings.hpp"
#include "models/vsphere/vm.hpp"

namespace vgsim::vsphere {

/// Why a VM does not have an operation; nothing if it has it. Source: F. Denneman 2023-05-10, and
/// VMware's documentation of each release for vMotion and DRS with vGPU.
[[nodiscard]] std::optional<std::string> lacks(const VirtualMachine& vm, Operation operation,
                                               const Versions& versions, std::string_view version);

/// How long vMotion is expected to stop a VM with vGPUs: a constant, and the framebuffers over what
/// vMotion makes of its network. The contributions of several vGPUs add up. Fits of VMware's
/// published tables for 6.7 and 7.0.
[[nodiscard]] SimTime expected_stun(const VirtualMachine& vm, const HostSettings& host,
                                    const Versions& versions, std::string_view version,
                                    const calibration::Parameters& parameters);

}  // namespace vgsim::vsphere
