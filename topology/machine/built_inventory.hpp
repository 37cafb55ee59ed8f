#pragma once

#include <cstddef>

#include "topology/catalog/catalog.hpp"
#include "topology/graph/graph.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology::inventory {

/// A host that was built, from the catalogue or from dumps, as an inventory of the same devices in
/// the same tree, so that whatever shows inventories shows it too. Devices have placeholders for
/// bus ids.
[[nodiscard]] Inventory built_inventory(const Topology& topology, std::size_t host,
                                        const Catalog& catalog);

}  // namespace vgsim::topology::inventory
