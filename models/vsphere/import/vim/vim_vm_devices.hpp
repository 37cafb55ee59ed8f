#pragma once

#include "models/vsphere/import/file_notes.hpp"
#include "models/vsphere/import/vim/vim_value.hpp"

namespace vgsim::vsphere::import {

/// Reads a VirtualDevice into the VM if it is a PCI device of the host or a network adapter.
void read_vim_device(const VimValue& device, FileNotes& notes, VmFacts& vm);

}  // namespace vgsim::vsphere::import
