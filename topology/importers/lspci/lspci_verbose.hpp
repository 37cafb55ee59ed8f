#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology {

/// Whether a text is what lspci prints, one record for each PCI function, with whatever of -v, -vv,
/// -vvv, -n, -nn, -D and -k it was called. Looks at the first lines alone, cheaply, and never
/// throws. lspci -t is another format, see lspci_tree.hpp; so is -m.
[[nodiscard]] bool is_lspci_verbose(std::string_view text);

/// Reads it. Lines before the first record are passed over, and so are blanks before details:
/// pasted text may have lost them.
///
/// lspci -vvv of root tells most: the tree ("Bus: primary=..., secondary=..."), NUMA nodes, links
/// (LnkCap is what a port can do, LnkSta what it does), ACS, slots, drivers, SR-IOV. Of other calls
/// what is missing stays empty and `skipped` says what to call. Without -v no tree is told, and
/// devices are `unplaced` if there are bridges. Where no function tells a NUMA node, there is one
/// without an id. PcieTree tells what is kept, and how.
///
/// Errors: E531 no line of lspci, E532 no GPU, NIC, NVSwitch nor NVMe drive, E533 more than 4096
/// functions, 16 MiB or 32 bridges above each other.
[[nodiscard]] tl::expected<inventory::Inventory, input::Diagnostics> read_lspci_verbose(
    const input::SourcePtr& source);

}  // namespace vgsim::topology
