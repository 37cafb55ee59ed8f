#pragma once

#include <hwloc.h>

#include "topology/importers/file_notes.hpp"
#include "topology/importers/hwloc/hwloc_nodes.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology {

/// Adds the PCI devices of a topology to the NUMA nodes of the host, with the facts of OS devices
/// about GPUs and ports of NICs. hwloc states the current speed of a link.
void read_hwloc_devices(hwloc_topology_t topology, HwlocNodes& nodes, FileNotes& notes);

/// Bus id of the PCI device that an object is or belongs to; empty if it is none.
[[nodiscard]] std::string hwloc_bus_id_of(hwloc_obj_t object);

}  // namespace vgsim::topology
