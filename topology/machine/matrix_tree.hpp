#pragma once

#include <vector>

#include "topology/machine/inventory.hpp"

namespace vgsim::topology::inventory {

/// Constructs a PCIe tree with the path classes of a matrix, for hosts without any other tree:
/// PIX is one switch, PXB a switch of switches, PHB one root complex, NODE one NUMA node. Between
/// GPUs on NVLink the matrix hides the PCIe class, so their NICs, CPUs and NUMA nodes are used.
/// Every switch and root complex has the source "assumed".
///
/// `devices`: one per row, in the order of rows.
[[nodiscard]] std::vector<NumaNode> tree_of_matrix(const PathMatrix& matrix,
                                                   std::vector<Device> devices);

/// Adds the NVLinks of the matrix to GPUs: to each other or, if they exceed the most links of any
/// GPU (18), to NVSwitches. GPUs without a bus id get a placeholder. `gpus`: by the number in the
/// name of their row; null for missing numbers.
void add_nvlinks_of_matrix(const PathMatrix& matrix, const std::vector<Device*>& gpus,
                           Inventory& host);

/// Whether a device belongs to a matrix row: a GPU by its number, a NIC by the name of its port.
[[nodiscard]] bool is_row(const Device& device, const PathMatrix& matrix, std::size_t row);

/// Places devices by their path class to placed devices: PIX below the same switch; PXB below the
/// topmost one; PHB and NODE in the same NUMA node. Devices without such a class stay unplaced.
void place_by_matrix(Inventory& host);

}  // namespace vgsim::topology::inventory
