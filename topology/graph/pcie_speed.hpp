#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "topology/graph/pcie_width.hpp"

namespace vgsim::topology {

/// Lane speed of a generation of PCI Express. Source: PCI Express base specifications 1.0 to 7.0.
struct PcieSpeed {
  std::int64_t generation;
  std::int64_t transfer_rate;   ///< 100 MT/s
  double coding;                ///< fraction of the bits that remain after line coding
  std::string_view link_speed;  ///< as Linux 5.7 and later write it
};

inline constexpr std::array<PcieSpeed, 7> kPcieSpeeds = {{
    {1, 25, 8.0 / 10.0, "2.5 GT/s PCIe"},
    {2, 50, 8.0 / 10.0, "5.0 GT/s PCIe"},
    {3, 80, 128.0 / 130.0, "8.0 GT/s PCIe"},
    {4, 160, 128.0 / 130.0, "16.0 GT/s PCIe"},
    {5, 320, 128.0 / 130.0, "32.0 GT/s PCIe"},
    {6, 640, 242.0 / 256.0, "64.0 GT/s PCIe"},  // of a flit
    {7, 1280, 242.0 / 256.0, "128.0 GT/s PCIe"},
}};

/// nullptr for other generations.
[[nodiscard]] const PcieSpeed* pcie_speed(std::int64_t generation);

/// The generation of a link speed in the format of Linux and NVML: "8 GT/s", "16.0 GT/s PCIe",
/// "2.5 GT/s". Only the number is read, because the text after it differs by version. Nothing for
/// any other number, "Unknown" or an empty text.
[[nodiscard]] std::optional<std::int64_t> pcie_generation_of(std::string_view link_speed);

/// "16.0 GT/s PCIe"; empty for other generations.
[[nodiscard]] std::string_view pcie_link_speed(std::int64_t generation);

/// Lanes times transfer rate, in 100 MT/s, for ordering links by speed. Throws std::out_of_range
/// for other generations.
[[nodiscard]] std::int64_t pcie_transfer_rate(PcieWidth width);

/// Rate of a link in one direction in GB/s after line coding: 31.5 for Gen4 x16. Nothing for other
/// generations.
[[nodiscard]] std::optional<double> pcie_gigabytes_per_second(PcieWidth width);

}  // namespace vgsim::topology
