#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "topology/machine/matrix_tree.hpp"

namespace vgsim::topology::inventory {
namespace {

/// The place of a device: its NUMA node and the bridges above it, topmost first.
struct Place {
  NumaNode* node = nullptr;
  std::vector<Device*> above;
};

bool find_below(std::vector<Device>& devices, const Device& wanted, Place& place) {
  for (Device& device : devices) {
    if (&device == &wanted) return true;
    place.above.push_back(&device);
    if (find_below(device.below, wanted, place)) return true;
    place.above.pop_back();
  }
  return false;
}

/// The place of the device of a row; nothing if it has no PCIe place.
std::optional<Place> place_of_row(Inventory& host, std::size_t row) {
  for (NumaNode& node : host.numa_nodes) {
    Place place{&node, {}};
    const Device* found = nullptr;
    const auto look = [&](auto& self, std::vector<Device>& devices) -> void {
      for (Device& device : devices) {
        if (found == nullptr && is_row(device, *host.matrix, row)) found = &device;
        self(self, device.below);
      }
    };
    look(look, node.devices);
    if (found != nullptr && find_below(node.devices, *found, place)) return place;
  }
  return std::nullopt;
}

/// The device list for a device with that path class to one at `place`.
std::vector<Device>* list_for(std::string_view cell, Place& place) {
  const bool is_switched = cell == "PIX" || cell == "PXB";
  if (is_switched && place.above.empty()) return nullptr;
  if (cell == "PIX") return &place.above.back()->below;
  if (cell == "PXB") return &place.above.front()->below;
  return cell == "PHB" || cell == "NODE" ? &place.node->devices : nullptr;
}

/// The nearest device list according to the matrix row; nullptr if it states none.
std::vector<Device>* nearest_list(Inventory& host, std::size_t row) {
  for (const std::string_view wanted : {"PIX", "PXB", "PHB", "NODE"}) {
    for (std::size_t other = 0; other < host.matrix->names.size(); ++other) {
      if (host.matrix->cells[row][other] != wanted) continue;
      auto place = place_of_row(host, other);
      if (!place) continue;
      if (std::vector<Device>* list = list_for(wanted, *place)) return list;
    }
  }
  return nullptr;
}

}  // namespace

bool is_row(const Device& device, const PathMatrix& matrix, std::size_t row) {
  const std::string& name = matrix.names[row];
  if (name.starts_with("GPU")) {
    return device.kind == DeviceKind::kGpu && device.gpu && device.gpu->index &&
           fmt::format("GPU{}", device.gpu->index->value) == name;
  }
  const auto legend = matrix.nic_legend.find(name);
  const std::string& port = legend == matrix.nic_legend.end() ? name : legend->second;
  return device.kind == DeviceKind::kNic &&
         std::ranges::any_of(
             device.ports, [&](const Port& each) { return each.name && each.name->value == port; });
}

/// Places a device near the one with the closest path: below the same switch for PIX, below the
/// topmost one for PXB, in the same NUMA node otherwise. Devices are placed one at a time, because
/// each can determine the place of the next.
void place_by_matrix(Inventory& host) {
  constexpr std::size_t kMostRows = 256;
  if (host.matrix->names.size() > kMostRows) return;
  std::size_t placed = 0;
  for (std::size_t row = 0; row < host.matrix->names.size(); ++row) {
    const auto device = std::ranges::find_if(
        host.unplaced, [&](const Device& each) { return is_row(each, *host.matrix, row); });
    if (device == host.unplaced.end()) continue;
    std::vector<Device>* list = nearest_list(host, row);
    if (list == nullptr) continue;
    Device moved = std::move(*device);
    host.unplaced.erase(device);
    list->push_back(std::move(moved));
    ++placed;
  }
  if (placed == 0) return;
  host.assumed.push_back(
      fmt::format("{} devices that only the matrix lists are placed by their path classes: on "
                  "the switch or "
                  "NUMA node of a device with PIX, PXB, PHB or NODE",
                  placed));
}

}  // namespace vgsim::topology::inventory
