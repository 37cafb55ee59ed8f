#pragma once

#include <string>

#include "topology/catalog/catalog.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::cli {

/// A host as a tree for a terminal: sockets and NUMA nodes, root complexes, PCIe switches, devices
/// with their links and NVLinks.
[[nodiscard]] std::string host_tree_text(const topology::inventory::Inventory& host,
                                         const topology::Catalog& catalog);

/// Missing data of a host, as a wrapped sentence; empty if complete.
[[nodiscard]] std::string missing_data_text(const topology::inventory::Inventory& host);

}  // namespace vgsim::cli
