#pragma once

#include "models/vsphere/import/reading.hpp"
#include "models/vsphere/import/vim/vim_objects.hpp"

namespace vgsim::vsphere::import {

/// Reads a HostSystem: name, vendor, model, product, CPUs, NUMA nodes, the PCI tree, passthrough
/// and SR-IOV state, graphics devices, physical NICs and vGPU profiles. Parts that the file lacks
/// stay empty; without hardware.pciDevice devices have no place.
///
/// Format: HostSystem of the vSphere Web Services API, 5.0 to 9.0. `names` are those of the VMs
/// that graphics devices refer to.
[[nodiscard]] Inventory read_vim_host(const VimObject& object, const VimNames& names,
                                      FileNotes& notes);

/// Reads a ConfigTarget, the offer of a host to VMs: devices for passthrough and SR-IOV with only
/// the names of the bridges above them, vGPU profiles and device groups.
[[nodiscard]] Inventory read_vim_config_target(const VimObject& object, FileNotes& notes);

}  // namespace vgsim::vsphere::import
