#pragma once

#include <string>

#include "topology/importers/file_notes.hpp"
#include "topology/importers/smi/smi_topo_grid.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology {

/// The matrix of a grid of topo -m; a pair stated in one direction is completed in the other.
/// Notes: errors if the X are not on the diagonal, warnings if the two directions differ or rows
/// are missing or short.
[[nodiscard]] inventory::PathMatrix path_matrix_of(const TopoGrid& grid, FileNotes& notes);

/// Whether any two devices are connected by NVLinks.
[[nodiscard]] bool has_nvlinks(const inventory::PathMatrix& matrix);

/// The first cell in which a matrix differs from an earlier one ("that"), in words; empty if the
/// common cells agree. If only one has NVLinks, the PCIe paths of the other do not contradict them.
[[nodiscard]] std::string difference_of(const inventory::PathMatrix& that,
                                        const inventory::PathMatrix& matrix);

}  // namespace vgsim::topology
