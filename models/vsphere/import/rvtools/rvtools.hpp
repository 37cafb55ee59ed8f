#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "models/vsphere/import/vm_facts.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::vsphere::import {

/// Whether a text is a tab of RVTools as CSV that can be read: vHost, vInfo, vNetwork or vNIC.
/// Looks at the first line alone and never throws.
[[nodiscard]] bool is_rvtools(std::string_view text);

/// Reads one tab of RVTools, exported as CSV: vHost (a host for each row), vInfo (a VM for each
/// row, templates left out), vNetwork (adapters of VMs) or vNIC (NICs of hosts with their PCI
/// addresses).
///
/// Columns are found by their headings, in the words of versions 3 and 4 ("# CPU") or of full
/// exports ("vHostNumCpu"), so they may be missing or in any order. Separators are comma, semicolon
/// or tab; the text UTF-8 or UTF-16. Numbers may have separators of thousands of any locale. Memory
/// is in MiB; such as would be beyond 64 TiB is taken as bytes, as an assumption.
///
/// RVTools has no tab of PCI devices: its exports do not contain GPUs.
///
/// Errors: E531 without the columns of a known tab, E532 for a tab with headings alone or that ends
/// within quotes, E533 for more than 4096 hosts or 200000 rows, E534 for numbers that cannot be.
[[nodiscard]] tl::expected<VsphereFacts, input::Diagnostics> read_rvtools(
    const input::SourcePtr& source);

}  // namespace vgsim::vsphere::import
