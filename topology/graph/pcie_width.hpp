#pragma once

#include <cstdint>

namespace vgsim::topology {

/// A PCIe link: its generation (1 to 6) and width.
struct PcieWidth {
  std::int64_t generation = 3;
  std::int64_t lanes = 16;

  /// The lower generation and width of two ends.
  [[nodiscard]] PcieWidth meet(PcieWidth other) const;
};

}  // namespace vgsim::topology
