#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "models/vsphere/import/vm_facts.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::vsphere::import {

/// Whether a text is an OVF envelope. Looks at the start alone and never throws.
[[nodiscard]] bool is_ovf(std::string_view text);

/// Reads an OVF descriptor as vSphere exports it: a VM for each VirtualSystem, with its size,
/// reservation, adapters, PCI devices (vmware.pci.passthrough, -ah, -vmiop, -dvx), SR-IOV adapters
/// and device groups (vmw:VirtualDeviceGroupSection).
///
/// Units: memory in AllocationUnits, MiB by default. Bus ids are hex, vendor ids decimal and
/// perhaps negative, device ids hex.
///
/// Format: DMTF DSP0243; VMware's keys as vCenter 7 and 8 write them.
/// Errors: E501 to E504 for bad XML, E531 for another root, E532 without a VM, E533 for more than
/// 4096 devices or VMs, E534 for values that cannot be.
[[nodiscard]] tl::expected<VsphereFacts, input::Diagnostics> read_ovf(
    const input::SourcePtr& source);

}  // namespace vgsim::vsphere::import
