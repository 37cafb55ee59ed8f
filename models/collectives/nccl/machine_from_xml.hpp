#pragma once

#include "models/collectives/nccl/machine.hpp"
#include "topology/importers/nccl/nccl_xml.hpp"

namespace vgsim::collectives::nccl {

/// The machine that an NCCL topology file describes (NCCL_TOPO_FILE). GPUs without a rank get one
/// in the order of the file if none has one; else they stay without.
[[nodiscard]] Machine machine_from_xml(const topology::NcclSystem& system);

}  // namespace vgsim::collectives::nccl
