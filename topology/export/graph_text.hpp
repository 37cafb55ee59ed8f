#pragma once

#include <string>

#include "topology/machine/inventory.hpp"

/// A host as a graph, for other programs. The same inventory always gives the same text.
namespace vgsim::topology::inventory {

/// For Graphviz: drawn from left to right, NUMA nodes, root complexes where they are told, PCIe
/// switches, devices, NVSwitches; a frame around each socket and NUMA node. Edges say "Gen4 x16" or
/// "NV12". Texts of the inventory are printable ASCII there, at most 60 characters of each.
[[nodiscard]] std::string to_dot(const Inventory& host);

/// GraphML (graphml.graphdrawing.org), undirected. Of nodes it has kind, name, bus_id, model and
/// numa (the number of the NUMA node); of edges kind ("pcie", "nvlink", "xgmi", "cpu"), link
/// ("Gen4 x16"), links (number of NVLinks) and bandwidth (GB/s in one direction). What is not told
/// is not there. Edges between NUMA nodes join each with the next.
[[nodiscard]] std::string to_graphml(const Inventory& host);

}  // namespace vgsim::topology::inventory
