#pragma once

#include <vector>

#include "topology/importers/nccl/nccl_xml.hpp"
#include "topology/inventory/inventory.hpp"

namespace vgsim::topology::inventory {

/// What an NCCL topology file tells, one inventory for each host in it (from NCCL 2.21 a file may
/// hold several). Warnings of the file are those of the first.
[[nodiscard]] std::vector<Inventory> from_nccl(const NcclSystem& system);

/// The host as NCCL would have written it: what came from an NCCL file comes back as it was, what
/// came from others in NCCL's words (link speeds as Linux writes them). Devices whose place is not
/// told are left out. `source` is where later complaints point to; all offsets are 0.
[[nodiscard]] NcclSystem to_nccl(const Inventory& host, const input::SourcePtr& source);

}  // namespace vgsim::topology::inventory
