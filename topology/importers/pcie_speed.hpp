#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "topology/catalog/catalog.hpp"
#include "topology/device_builder.hpp"

namespace vgsim::topology {

/// The PCIe generation of a link speed as Linux and NVML write it: "8 GT/s", "16.0 GT/s PCIe",
/// "2.5 GT/s". Only the number counts, the text behind it differs by version. Empty for any other
/// number, "Unknown" or nothing.
[[nodiscard]] std::optional<std::int64_t> pcie_generation_of(std::string_view link_speed);

/// Lanes times transfer rate, in 100 MT/s: orders links by speed, also those of generations 1 and
/// 2, which the catalogue lacks.
[[nodiscard]] std::int64_t pcie_transfer_rate(PcieWidth width);

/// The generation itself or the nearest one of the catalogue, the later of two. Throws
/// std::out_of_range if the catalogue has none.
[[nodiscard]] std::int64_t nearest_pcie_generation(const Catalog& catalog, std::int64_t generation);

}  // namespace vgsim::topology
