#pragma once

#include <string>

#include "topology/catalog/catalog.hpp"
#include "topology/inventory/inventory.hpp"

namespace vgsim::cli {

/// A host as a tree for a terminal: sockets and NUMA nodes, root complexes, PCIe switches, devices
/// with their links, and below it NVLinks and what is not told.
[[nodiscard]] std::string host_tree_text(const topology::inventory::Inventory& host,
                                         const topology::Catalog& catalog);

}  // namespace vgsim::cli
