#include "topology/importers/pcie_gigabytes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "topology/graph/pcie_speed.hpp"

namespace vgsim::topology {
namespace {

using inventory::DeviceKind;

constexpr std::int64_t kLastGeneration = 5;  ///< last one that hwloc writes
constexpr std::array<std::int64_t, 5> kWidths = {1, 2, 4, 8, 16};

/// Relative tolerance. Links of generations 1 and 3 differ by 1.6 % (4 GB/s and 3.94 GB/s). Above
/// the fastest link of generation 2 it is larger, because the library of AMD rounds 31.5 GB/s
/// to 31.
double tolerance(double gigabytes) { return gigabytes > 16.0 ? 0.02 : 0.002; }

std::vector<PcieWidth> links_of(double gigabytes) {
  std::vector<PcieWidth> links;
  const auto try_coding = [&](const PcieSpeed& speed, double coding) {
    const double lane = static_cast<double>(speed.transfer_rate) / 80.0 * coding;
    for (const std::int64_t width : kWidths) {
      const double full = lane * static_cast<double>(width);
      if (std::abs(gigabytes - full) <= full * tolerance(gigabytes)) {
        links.push_back({speed.generation, width});
      }
    }
  };
  for (const PcieSpeed& speed : kPcieSpeeds) {
    if (speed.generation > kLastGeneration) break;
    try_coding(speed, speed.coding);
    // hwloc 2.10 and later use the line coding of generation 3 for generation 2.
    if (speed.generation == 2) try_coding(speed, pcie_speed(3)->coding);
  }
  return links;
}

std::vector<std::int64_t> usual_widths(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::kGpu:
    case DeviceKind::kNic:
    case DeviceKind::kBridge:
      return {16, 8};
    case DeviceKind::kStorage:
      return {4};
    case DeviceKind::kNvSwitch:
    case DeviceKind::kOther:
      break;
  }
  return {};
}

}  // namespace

/// hwloc states only the bandwidth of a link. Every generation and width is tried, with the line
/// coding that hwloc subtracts. If several match (Gen3 x16 and Gen4 x8), the usual width of that
/// kind of device decides, and the result is marked as ambiguous.
std::optional<LinkOfGigabytes> link_of_gigabytes(double gigabytes, DeviceKind kind) {
  const std::vector<PcieWidth> links = links_of(gigabytes);
  if (links.size() == 1) return LinkOfGigabytes{links.front(), true};
  for (const std::int64_t width : usual_widths(kind)) {
    const auto found =
        std::ranges::find_if(links, [&](PcieWidth link) { return link.lanes == width; });
    if (found != links.end()) return LinkOfGigabytes{*found, false};
  }
  return std::nullopt;
}

}  // namespace vgsim::topology
