#pragma once

#include "models/vsphere/import/reading.hpp"
#include "models/vsphere/import/vim/vim_objects.hpp"
#include "models/vsphere/import/vim/vim_value.hpp"

namespace vgsim::vsphere::import {

/// Reads a VirtualMachine: name, state, size, reservation, settings, PCI devices, adapters and
/// device groups. The id of its host is kept if `names` lacks its name.
///
/// JSON has no types of devices: vGPU, DirectPath I/O fixed and dynamic, DVX and SR-IOV are
/// recognized by their members, and adapters by their MAC address; their type is then unknown.
///
/// Format: VirtualMachine of the vSphere Web Services API, 5.0 to 9.0.
[[nodiscard]] VmFacts read_vim_vm(const VimObject& object, const VimNames& names, FileNotes& notes);

/// Reads a VirtualDevice into the VM if it is a PCI device of the host or a network adapter.
void read_vim_device(const VimValue& device, FileNotes& notes, VmFacts& vm);

}  // namespace vgsim::vsphere::import
