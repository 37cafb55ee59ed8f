#pragma once

#include <string>

#include "topology/machine/inventory.hpp"

/// A host as a graph, for other programs. Output is deterministic for an inventory.
namespace vgsim::topology::inventory {

/// DOT for Graphviz, drawn from left to right: NUMA nodes, root complexes if known, PCIe switches,
/// devices, NVSwitches; a frame around each socket and NUMA node. Edges have labels "Gen4 x16" or
/// "NV12". Texts are reduced to printable ASCII, at most 60 characters each.
[[nodiscard]] std::string to_dot(const Inventory& host);

/// GraphML (graphml.graphdrawing.org), undirected. Nodes have kind, name, bus_id, model and numa
/// (the number of the NUMA node); edges have kind ("pcie", "nvlink", "xgmi", "cpu"), link ("Gen4
/// x16"), links (number of NVLinks) and bandwidth (GB/s in one direction). Unknown attributes are
/// omitted. Edges connect consecutive NUMA nodes.
[[nodiscard]] std::string to_graphml(const Inventory& host);

}  // namespace vgsim::topology::inventory
