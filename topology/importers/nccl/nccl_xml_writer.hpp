#pragma once

#include <string>

#include "topology/importers/nccl/nccl_xml.hpp"

namespace vgsim::topology {

/// The system as a file that NCCL reads (NCCL_TOPO_FILE): elements and attributes in its order,
/// none that it would not write, unknown values left out. parse_nccl_xml() of it gives the system
/// back, but for offsets and what NCCL has no word for (sockets and root complexes).
[[nodiscard]] std::string to_nccl_xml(const NcclSystem& system);

}  // namespace vgsim::topology
