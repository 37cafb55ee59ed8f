#pragma once

#include <cstddef>

#include "topology/catalog/catalog.hpp"
#include "topology/graph/graph.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology::inventory {

/// Converts a built host, from the catalogue or from dumps, to an inventory with the same devices
/// and tree, so that it can be shown like any inventory. Bus ids are placeholders.
[[nodiscard]] Inventory built_inventory(const Topology& topology, std::size_t host,
                                        const Catalog& catalog);

}  // namespace vgsim::topology::inventory
