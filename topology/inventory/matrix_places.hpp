#pragma once

#include "topology/inventory/inventory.hpp"

namespace vgsim::topology::inventory {

/// Whether a device is that of a row of a matrix: a GPU by its number, a NIC by its port's name.
[[nodiscard]] bool is_row(const Device& device, const PathMatrix& matrix, std::size_t row);

/// Puts devices without a place where the host's matrix says that they are, seen from devices that
/// have one: PIX, below the same switch; PXB, below the topmost one; PHB and NODE, on the same NUMA
/// node. Those that it does not tell of stay where they are.
void place_by_matrix(Inventory& host);

}  // namespace vgsim::topology::inventory
