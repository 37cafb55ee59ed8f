#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology {

/// Whether a text is a topology of hwloc as XML, of whatever version. Looks at its beginning alone,
/// cheaply, and never throws.
[[nodiscard]] bool is_hwloc_xml(std::string_view text);

/// Whether a text is what lstopo prints to the terminal. It cannot be imported, but
/// read_hwloc_xml() says what to do instead.
[[nodiscard]] bool is_lstopo_text(std::string_view text);

/// Reads a file of lstopo --of xml, versions 1.x and 2.x, through libhwloc: host, NUMA nodes with
/// CPUs, the PCI tree with the speeds that links have now, what drivers tell of GPUs and NICs,
/// bandwidths of NVLink and xGMI. Link capabilities are not told by hwloc, nor how many links there
/// are: see pcie_gigabytes.hpp and hwloc_links.hpp. PcieTree tells which devices are kept, and how.
/// Devices that are near several NUMA nodes hang on a node without an id.
///
/// Errors: those of XmlReader, E531 no topology, E532 neither CPUs nor devices in it, E533 more
/// than any host has, E534 values that cannot be, E535 a file of hwloc 3.
[[nodiscard]] tl::expected<inventory::Inventory, input::Diagnostics> read_hwloc_xml(
    const input::SourcePtr& source);

}  // namespace vgsim::topology
