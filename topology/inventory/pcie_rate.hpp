#pragma once

#include <optional>

#include "topology/pcie_width.hpp"

namespace vgsim::topology::inventory {

/// GB/s that a PCIe link carries in one direction, the line coding taken off: 31.5 for Gen4 x16.
/// Nothing for other generations than 1 to 6.
[[nodiscard]] std::optional<double> pcie_gigabytes_per_second(PcieWidth width);

}  // namespace vgsim::topology::inventory
