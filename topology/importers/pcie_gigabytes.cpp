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

constexpr std::int64_t kLastHwlocGeneration = 5;  ///< that hwloc writes
constexpr std::int64_t kLastNcclGeneration = 6;
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
    if (speed.generation > kLastHwlocGeneration) break;
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

/// The only link, else the first with the usual width of the kind of device.
std::optional<LinkOfGigabytes> likely(const std::vector<PcieWidth>& links, DeviceKind kind) {
  if (links.size() == 1) return LinkOfGigabytes{links.front(), true};
  for (const std::int64_t width : usual_widths(kind)) {
    const auto found =
        std::ranges::find_if(links, [&](PcieWidth link) { return link.lanes == width; });
    if (found != links.end()) return LinkOfGigabytes{*found, false};
  }
  return std::nullopt;
}

}  // namespace

/// hwloc and NCCL state only the bandwidth of a link. Every generation and width is tried, with the
/// line coding that hwloc subtracts or NCCL's rate of a lane. If several match (Gen3 x16 and Gen4
/// x8), the usual width of that kind of device decides, and the result is marked as ambiguous.
std::optional<LinkOfGigabytes> link_of_gigabytes(double gigabytes, DeviceKind kind) {
  return likely(links_of(gigabytes), kind);
}

std::optional<LinkOfGigabytes> link_of_nccl_gigabytes(double gigabytes, DeviceKind kind) {
  constexpr double kRounding = 0.0501;
  std::vector<PcieWidth> recent;
  std::vector<PcieWidth> all;
  double lane = 0.1875;
  for (std::int64_t generation = 1; generation <= kLastNcclGeneration; ++generation) {
    for (const std::int64_t width : kWidths) {
      if (std::abs(gigabytes - lane * static_cast<double>(width)) > kRounding) continue;
      all.push_back({generation, width});
      if (generation >= 3) recent.push_back(all.back());
    }
    lane *= 2;
  }
  auto link = likely(recent, kind);
  if (!link) link = likely(all, kind);
  if (link) link->only_one = all.size() == 1;
  return link;
}

}  // namespace vgsim::topology
