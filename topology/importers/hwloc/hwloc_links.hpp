#pragma once

#include <hwloc.h>

#include "topology/importers/file_notes.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology {

/// Adds NVLinks and xGMI links to the GPUs of the host.
///
/// hwloc tells the bandwidth of a pair, summed over its links, and not their number, which is
/// inferred: see hwloc_link_counts.hpp for NVLink. Bandwidths of xGMI say nothing if they are all
/// alike, since hwloc writes 100 GB/s whatever the number of links; then there is one.
void read_hwloc_links(hwloc_topology_t topology, inventory::Inventory& host, FileNotes& notes);

}  // namespace vgsim::topology
