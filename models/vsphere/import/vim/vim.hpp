#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "models/vsphere/import/vm_facts.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::vsphere::import {

/// Whether a text holds objects of the vSphere API (vim25), in JSON or XML. Looks at content alone
/// and never throws.
[[nodiscard]] bool is_vim(std::string_view text);

/// Reads hosts and VMs from output of clients of the vSphere API: govc -json (host.info, vm.info,
/// device.info, object.collect; also old versions with capital letters), govc object.save, answers
/// in SOAP, ConfigTarget, and some separate data objects (see vim_objects.hpp). Facts of one
/// file about a host go to that host's sentences and warnings.
///
/// Errors: E501 to E504 for bad XML, E531 for bad JSON, E532 for an early end or a file with
/// neither host nor VM, or without facts of one, E533 beyond the limits of vim_value.hpp and
/// pci_tree.hpp, E534 for impossible values.
[[nodiscard]] tl::expected<VsphereFacts, input::Diagnostics> read_vim(
    const input::SourcePtr& source);

}  // namespace vgsim::vsphere::import
