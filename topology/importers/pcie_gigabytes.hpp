#pragma once

#include <optional>

#include "topology/graph/pcie_width.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology {

/// A PCIe link that a number of GB/s stands for.
struct LinkOfGigabytes {
  PcieWidth width;
  bool only_one = false;  ///< no other generation and number of lanes has as many
};

/// The link of so many GB/s per direction after encoding, as hwloc counts: 15.75 is generation 3
/// with 16 lanes, or 4 with 8, or 5 with 4. Of several the kind of device decides: 16 lanes, else
/// 8, for GPUs, NICs and bridges, 4 for NVMe drives. Empty if that does not, or no link has as
/// many.
[[nodiscard]] std::optional<LinkOfGigabytes> link_of_gigabytes(double gigabytes,
                                                               inventory::DeviceKind kind);

}  // namespace vgsim::topology
