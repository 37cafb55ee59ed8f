#include "topology/inventory/pcie_rate.hpp"

#include <array>

namespace vgsim::topology::inventory {

std::optional<double> pcie_gigabytes_per_second(PcieWidth width) {
  constexpr std::array<double, 6> kTransfers = {2.5, 5.0, 8.0, 16.0, 32.0, 64.0};
  if (width.generation < 1 || width.generation > 6) return std::nullopt;
  const double coding = width.generation <= 2   ? 8.0 / 10.0
                        : width.generation <= 5 ? 128.0 / 130.0
                                                : 242.0 / 256.0;  // FLITs
  const double lane = kTransfers[static_cast<std::size_t>(width.generation - 1)] * coding / 8.0;
  return lane * static_cast<double>(width.lanes);
}

}  // namespace vgsim::topology::inventory
