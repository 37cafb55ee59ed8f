#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology {

/// Whether a text is the tree of lspci -t. Tests only the first lines, is cheap and never throws.
[[nodiscard]] bool is_lspci_tree(std::string_view text);

/// Reads the tree of lspci -tv, -tvnn or -tn, with or without domains, "-[0000:44]-" as well as
/// "-[0000:44-5c]-". Lines before the tree are ignored; its blanks must be as printed.
///
/// It contains the tree and names or ids; kinds are inferred from these, which the result states.
/// Links and NUMA nodes are missing: there is one node without an id. PcieTree defines which
/// devices are kept.
///
/// Errors: E531 not such a tree, E532 no known device (lspci -t alone prints no names), E533 more
/// than 4096 functions, 16 MiB or 32 nested bridges, E534 a line that continues no other line.
[[nodiscard]] tl::expected<inventory::Inventory, input::Diagnostics> read_lspci_tree(
    const input::SourcePtr& source);

}  // namespace vgsim::topology
