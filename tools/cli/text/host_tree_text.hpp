#pragma once

#include <string>

#include "topology/catalog/catalog.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::cli {

/// A host as a tree for a terminal: sockets and NUMA nodes, root complexes, PCIe switches, devices
/// with their links and NVLinks.
[[nodiscard]] std::string host_tree_text(const topology::inventory::Inventory& host,
                                         const topology::Catalog& catalog);

/// What no file tells of a host, as a sentence in lines; empty if nothing is missing.
[[nodiscard]] std::string not_told_text(const topology::inventory::Inventory& host);

}  // namespace vgsim::cli
