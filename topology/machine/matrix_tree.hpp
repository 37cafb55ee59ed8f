#pragma once

#include <vector>

#include "topology/machine/inventory.hpp"

namespace vgsim::topology::inventory {

/// A PCIe tree that gives the path classes of a matrix, for hosts of which nothing else tells it:
/// PIX is one switch, PXB a switch of switches, PHB one root complex, NODE one NUMA node. Between
/// GPUs on NVLink the matrix hides the PCIe class: only what their NICs, CPUs and NUMA nodes tell
/// is used. Every switch and root complex has the source "assumed".
///
/// `devices`: one for each row, in their order.
[[nodiscard]] std::vector<NumaNode> tree_of_matrix(const PathMatrix& matrix,
                                                   std::vector<Device> devices);

/// Gives GPUs the NVLinks of the matrix: to each other, or, where they would be more than any GPU
/// has (18), to NVSwitches. GPUs without a bus id get a placeholder. Nothing if the matrix has
/// none. `gpus`: by the number in their row's name; null where there is none.
void add_nvlinks_of_matrix(const PathMatrix& matrix, const std::vector<Device*>& gpus,
                           Inventory& host);

/// Whether a device is that of a row of a matrix: a GPU by its number, a NIC by its port's name.
[[nodiscard]] bool is_row(const Device& device, const PathMatrix& matrix, std::size_t row);

/// Puts devices without a place where the host's matrix says that they are, seen from devices that
/// have one: PIX, below the same switch; PXB, below the topmost one; PHB and NODE, on the same NUMA
/// node. Those that it does not tell of stay where they are.
void place_by_matrix(Inventory& host);

}  // namespace vgsim::topology::inventory
