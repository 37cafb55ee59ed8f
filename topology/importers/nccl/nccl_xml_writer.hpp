#pragma once

#include <string>

#include "topology/machine/inventory.hpp"

namespace vgsim::topology {

/// The host as a file that NCCL reads (NCCL_TOPO_FILE): elements and attributes in its order, none
/// that it would not write, unknown values left out. What came from an NCCL file comes back as it
/// was, what came from others in NCCL's words (link speeds as Linux writes them). Devices whose
/// place is not known are left out, as are sockets and root complexes, for which NCCL has no word.
[[nodiscard]] std::string to_nccl_xml(const inventory::Inventory& host);

}  // namespace vgsim::topology
