#pragma once

#include <hwloc.h>

#include "topology/importers/file_notes.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology {

/// Adds NVLinks and xGMI links to the GPUs of the host.
///
/// hwloc states the total bandwidth of a pair but not the number of its links, which is inferred:
/// see hwloc_link_counts.hpp for NVLink. Equal bandwidths of all xGMI pairs are not informative,
/// because hwloc writes 100 GB/s for any number of links; one link is then assumed.
void read_hwloc_links(hwloc_topology_t topology, inventory::Inventory& host, FileNotes& notes);

}  // namespace vgsim::topology
