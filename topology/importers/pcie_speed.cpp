#include "topology/importers/pcie_speed.hpp"

#include <array>
#include <charconv>
#include <iterator>
#include <stdexcept>

namespace vgsim::topology {
namespace {

/// 100 MT/s per lane, from generation 1 on.
constexpr std::array<std::int64_t, 6> kTransferRates = {25, 50, 80, 160, 320, 640};

}  // namespace

std::optional<std::int64_t> pcie_generation_of(std::string_view link_speed) {
  double speed = 0.0;
  const char* end = link_speed.data() + link_speed.size();
  const auto [rest, failure] = std::from_chars(link_speed.data(), end, speed);
  if (failure != std::errc() || (rest != end && *rest != ' ')) return std::nullopt;
  std::int64_t generation = 0;
  for (const std::int64_t rate : kTransferRates) {
    ++generation;
    if (speed * 10.0 == static_cast<double>(rate)) return generation;
  }
  return std::nullopt;
}

std::int64_t pcie_transfer_rate(PcieWidth width) {
  return kTransferRates.at(static_cast<std::size_t>(width.generation - 1)) * width.lanes;
}

std::int64_t nearest_pcie_generation(const Catalog& catalog, std::int64_t generation) {
  if (catalog.pcie.empty()) throw std::out_of_range("the catalogue has no PCIe generation");
  const auto next = catalog.pcie.lower_bound(generation);
  if (next == catalog.pcie.begin()) return next->first;
  const std::int64_t before = std::prev(next)->first;
  if (next == catalog.pcie.end() || generation - before < next->first - generation) return before;
  return next->first;
}

}  // namespace vgsim::topology
