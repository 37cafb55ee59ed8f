#pragma once

#include <string>

#include "topology/machine/inventory.hpp"

namespace vgsim::topology {

/// The host as a file for NCCL (NCCL_TOPO_FILE): elements and attributes in NCCL's order and
/// grammar, unknown values omitted. Values from an NCCL file are unchanged; other values are
/// converted to NCCL's terms (link speeds as in Linux). Omitted: devices without a known place, and
/// sockets and root complexes, which NCCL does not represent.
[[nodiscard]] std::string to_nccl_xml(const inventory::Inventory& host);

}  // namespace vgsim::topology
