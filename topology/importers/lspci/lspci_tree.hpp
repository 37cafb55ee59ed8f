#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology {

/// Whether a text is the tree that lspci -t prints. Looks at the first lines alone, cheaply, and
/// never throws.
[[nodiscard]] bool is_lspci_tree(std::string_view text);

/// Reads the tree of lspci -tv, -tvnn or -tn, with or without domains, "-[0000:44]-" as well as
/// "-[0000:44-5c]-". Lines before the tree are passed over, the blanks in it must be as printed.
///
/// It tells the tree and names, or ids; kinds are judged by these and the result says so. It lacks
/// links and NUMA nodes: there is one node without an id. PcieTree tells what is kept, and how.
///
/// Errors: E531 no such tree, E532 nothing of use in it (lspci -t alone prints no names), E533 more
/// than 4096 functions, 16 MiB or 32 bridges above each other, E534 a line that continues none
/// above it.
[[nodiscard]] tl::expected<inventory::Inventory, input::Diagnostics> read_lspci_tree(
    const input::SourcePtr& source);

}  // namespace vgsim::topology
