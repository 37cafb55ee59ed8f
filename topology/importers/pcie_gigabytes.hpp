#pragma once

#include <optional>

#include "topology/graph/pcie_width.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology {

/// A PCIe link derived from its bandwidth.
struct LinkOfGigabytes {
  PcieWidth width;
  bool only_one = false;  ///< no other generation and width has this bandwidth
};

/// The link with that bandwidth in GB/s per direction after line coding, as in hwloc: 15.75 is
/// generation 3 with 16 lanes, or 4 with 8, or 5 with 4. Of several, the kind of device decides: 16
/// lanes, else 8, for GPUs, NICs and bridges, 4 for NVMe drives. Nothing if that is not decisive,
/// or no link matches.
[[nodiscard]] std::optional<LinkOfGigabytes> link_of_gigabytes(double gigabytes,
                                                               inventory::DeviceKind kind);

/// The same for the bandwidth that NCCL assigns to a link, rounded to 0.1 GB/s: 0.1875 GB/s for one
/// lane of generation 1, twice as much with each generation (NVIDIA/nccl src/graph/topo.cc). Links
/// of generation 3 and later have priority: 6.0 is generation 3 with 8 lanes rather than 2 with 16.
[[nodiscard]] std::optional<LinkOfGigabytes> link_of_nccl_gigabytes(double gigabytes,
                                                                    inventory::DeviceKind kind);

}  // namespace vgsim::topology
