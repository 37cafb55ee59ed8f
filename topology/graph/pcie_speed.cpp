#include "topology/graph/pcie_speed.hpp"

#include <charconv>
#include <stdexcept>

namespace vgsim::topology {

const PcieSpeed* pcie_speed(std::int64_t generation) {
  for (const PcieSpeed& speed : kPcieSpeeds) {
    if (speed.generation == generation) return &speed;
  }
  return nullptr;
}

std::optional<std::int64_t> pcie_generation_of(std::string_view link_speed) {
  double stated = 0.0;
  const char* end = link_speed.data() + link_speed.size();
  const auto [rest, failure] = std::from_chars(link_speed.data(), end, stated);
  if (failure != std::errc() || (rest != end && *rest != ' ')) return std::nullopt;
  for (const PcieSpeed& speed : kPcieSpeeds) {
    if (stated * 10.0 == static_cast<double>(speed.transfer_rate)) return speed.generation;
  }
  return std::nullopt;
}

std::string_view pcie_link_speed(std::int64_t generation) {
  const PcieSpeed* speed = pcie_speed(generation);
  return speed == nullptr ? std::string_view() : speed->link_speed;
}

std::int64_t pcie_transfer_rate(PcieWidth width) {
  const PcieSpeed* speed = pcie_speed(width.generation);
  if (speed == nullptr) throw std::out_of_range("unknown generation of PCI Express");
  return speed->transfer_rate * width.lanes;
}

std::optional<double> pcie_gigabytes_per_second(PcieWidth width) {
  const PcieSpeed* speed = pcie_speed(width.generation);
  if (speed == nullptr) return std::nullopt;
  const double gigatransfers = static_cast<double>(speed->transfer_rate) / 10.0;
  return gigatransfers * speed->coding / 8.0 * static_cast<double>(width.lanes);
}

}  // namespace vgsim::topology
