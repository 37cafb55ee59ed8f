#pragma once

#include <vector>

#include "models/vsphere/import/reading.hpp"
#include "models/vsphere/import/vm_facts.hpp"
#include "models/vsphere/import/vm_options.hpp"

namespace vgsim::vsphere::import {

/// Reads pciPassthruN.* and ethernetN.* of a .vmx file into the devices of the VM, in the order of
/// their numbers. A device counts if .present is TRUE or, as an assumption, if .present is missing
/// and it has an id.
///
/// Bus ids are decimal. Where one has hex letters all of its form in the file are taken as hex, as
/// an assumption.
void read_vmx_devices(const std::vector<VmOption>& options, FileNotes& notes, VmFacts& vm);

/// "0x10de:0x20f1", several with commas, semicolons or blanks between them, each perhaps narrowed
/// by ":s=..:t=..:r=.." (subsystem and revision, which go to `skipped`): the devices that Dynamic
/// DirectPath I/O allows, as "10de:20f1".
[[nodiscard]] std::vector<std::string> read_allowed_devices(const VmOption& option,
                                                            FileNotes& notes);

}  // namespace vgsim::vsphere::import
