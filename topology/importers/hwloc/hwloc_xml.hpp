#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology {

/// Whether a text is an hwloc topology in XML, of any version. Tests only its beginning, is cheap
/// and never throws.
[[nodiscard]] bool is_hwloc_xml(std::string_view text);

/// Whether a text is terminal output of lstopo. It cannot be imported; read_hwloc_xml() reports
/// what to export instead.
[[nodiscard]] bool is_lstopo_text(std::string_view text);

/// Reads a file of lstopo --of xml, versions 1.x and 2.x, through libhwloc: host, NUMA nodes with
/// CPUs, the PCI tree with current link speeds, facts from drivers about GPUs and NICs, bandwidths
/// of NVLink and xGMI. hwloc states neither link capabilities nor numbers of links; see
/// pcie_gigabytes.hpp and hwloc_links.hpp. PcieTree defines which devices are kept. Devices near
/// several NUMA nodes are in a node without an id.
///
/// Errors: those of XmlReader, E531 not a topology, E532 neither CPUs nor devices in it, E533 a
/// limit exceeded, E534 invalid values, E535 a file of hwloc 3.
[[nodiscard]] tl::expected<inventory::Inventory, input::Diagnostics> read_hwloc_xml(
    const input::SourcePtr& source);

}  // namespace vgsim::topology
