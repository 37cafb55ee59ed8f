#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "models/vsphere/import/vm_facts.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::vsphere::import {

/// Whether a text holds objects of the vSphere API (vim25), in JSON or XML. Looks at content alone
/// and never throws.
[[nodiscard]] bool is_vim(std::string_view text);

/// Reads hosts and VMs from what clients of the vSphere API write: govc -json (host.info, vm.info,
/// device.info, object.collect; old versions with capital letters too), govc object.save, answers
/// in SOAP, ConfigTarget, and some data objects by themselves (see vim_objects.hpp). What one file
/// says of a host goes to that host's own sentences and warnings.
///
/// Errors: E501 to E504 for bad XML, E531 for bad JSON, E532 for an early end or a file with
/// neither host nor VM nor anything told of one, E533 beyond the limits of vim_value.hpp and
/// pci_tree.hpp, E534 for values that cannot be.
[[nodiscard]] tl::expected<VsphereFacts, input::Diagnostics> read_vim(
    const input::SourcePtr& source);

}  // namespace vgsim::vsphere::import
