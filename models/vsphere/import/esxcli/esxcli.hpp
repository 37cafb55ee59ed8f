#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "models/vsphere/import/vm_facts.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::vsphere::import {

/// Whether a text is output of one of the commands below. Looks at the start alone and never
/// throws.
[[nodiscard]] bool is_esxcli(std::string_view text);

/// Reads what commands on an ESXi host print into one host. Several outputs may follow one
/// another in a file, with prompts between them:
///
///   esxcli hardware pci list               the PCI tree, owners, NUMA nodes from 7.0
///   esxcli hardware pci pcipassthru list   from 7.0
///   esxcli graphics device list, device stats list, host get
///   esxcli network nic list
///   esxcli system version get, hostname get; hardware platform get, cpu global get, memory get
///   lspci, lspci -v                        names, vmnicN, virtual functions; -v adds classes
///
/// also with --formatter=csv or json where that is all of the file. Addresses are hex, but for
/// "Parent Device" and the aliases of virtual functions (PF_0.175.0_VF_3).
///
/// Format: ESXi 5.5 to 8.0.
/// Errors: E531 for text of none of these commands, E532 where nothing in it concerns hardware,
/// E533 for more than 16 MiB and beyond the limits of pci_tree.hpp, E534 for values that cannot be.
[[nodiscard]] tl::expected<VsphereFacts, input::Diagnostics> read_esxcli(
    const input::SourcePtr& source);

}  // namespace vgsim::vsphere::import
