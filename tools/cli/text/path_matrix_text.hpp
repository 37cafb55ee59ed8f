#pragma once

#include <string>

#include "topology/machine/inventory.hpp"

namespace vgsim::cli {

/// The matrix as nvidia-smi topo -m prints it, with the names of its NICs below.
[[nodiscard]] std::string path_matrix_text(const topology::inventory::PathMatrix& matrix);

}  // namespace vgsim::cli
