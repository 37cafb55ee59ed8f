#pragma once

#include <optional>
#include <string>

#include "models/vsphere/import/pci_tree.hpp"
#include "models/vsphere/import/reading.hpp"
#include "models/vsphere/import/vim/vim_value.hpp"

namespace vgsim::vsphere::import {

/// Reads a HostPciDevice. Ids are signed 16-bit numbers. Nothing, with an error, without a bus id
/// that can be read.
[[nodiscard]] std::optional<PciFunction> read_vim_function(const VimValue& pci_device,
                                                           FileNotes& notes);

/// A PCI address in a member. Empty, with an error, if it cannot be read; empty if it is missing.
[[nodiscard]] std::string vim_bus_id(const VimValue* value, FileNotes& notes);
/// A PCI id as a number, signed or not.
[[nodiscard]] Maybe<std::string> vim_pci_id(const VimValue* value, FileNotes& notes);

}  // namespace vgsim::vsphere::import
