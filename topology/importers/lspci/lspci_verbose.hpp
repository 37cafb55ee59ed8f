#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology {

/// Whether a text is output of lspci with one record for each PCI function, with any of -v, -vv,
/// -vvv, -n, -nn, -D and -k. Tests only the first lines, is cheap and never throws. lspci -t is a
/// different format (lspci_tree.hpp), and so is -m.
[[nodiscard]] bool is_lspci_verbose(std::string_view text);

/// Reads such output. Lines before the first record are ignored, and so is the indent of details,
/// which pasted text may have lost.
///
/// lspci -vvv as root has the most facts: the tree ("Bus: primary=..., secondary=..."), NUMA nodes,
/// links (LnkCap is the capability, LnkSta the current state), ACS, slots, drivers, SR-IOV. Facts
/// missing in other calls stay empty, and `skipped` states the call to use. Without -v there is no
/// tree, and devices are `unplaced` if there are bridges. If no function has a NUMA node, there is
/// one without an id. PcieTree defines which devices are kept.
///
/// Errors: E531 not output of lspci, E532 no GPU, NIC, NVSwitch or NVMe drive, E533 more than 4096
/// functions, 16 MiB or 32 nested bridges.
[[nodiscard]] tl::expected<inventory::Inventory, input::Diagnostics> read_lspci_verbose(
    const input::SourcePtr& source);

}  // namespace vgsim::topology
