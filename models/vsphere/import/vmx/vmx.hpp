#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "models/vsphere/import/vm_facts.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::vsphere::import {

/// Whether a text is a .vmx file, or lines of one. Looks at the start alone and never throws.
[[nodiscard]] bool is_vmx(std::string_view text);

/// Reads a .vmx file of ESXi into one VM. Lines are `key = "value"`, keys in any case, "|22" in a
/// value is the character of that hex code; comments begin with #, values need no quotes. Of a key
/// that is there twice the last line counts.
///
/// Format: VMware publishes no grammar; keys as in the vSphere documents, NVIDIA's vGPU guide and
/// real files. How device groups are stored is not known: their vGPUs are read one by one.
///
/// Errors: E531 for lines that are not settings and for NUL, E532 for an end within a value or no
/// settings of a VM, E533 for more than 1 MiB, E534 for impossible values.
[[nodiscard]] tl::expected<VsphereFacts, input::Diagnostics> read_vmx(
    const input::SourcePtr& source);

}  // namespace vgsim::vsphere::import
