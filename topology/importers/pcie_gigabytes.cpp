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

constexpr std::int64_t kLastGeneration = 5;  ///< that hwloc writes
constexpr std::array<std::int64_t, 5> kWidths = {1, 2, 4, 8, 16};

/// Links of generations 1 and 3 differ by 1.6 % (4 GB/s and 3.94). Above the fastest of generation
/// 2 there is room for AMD's library, which rounds 31.5 GB/s to 31.
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
    // hwloc 2.10 and later take generation 2 for encoded as generation 3.
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

/// hwloc tells a link by its bandwidth alone. Every generation and width is tried, with the line
/// coding that hwloc takes off; where several fit (Gen3 x16 and Gen4 x8), the width that devices of
/// the kind usually have decides, and the result says that it was not the only one.
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
