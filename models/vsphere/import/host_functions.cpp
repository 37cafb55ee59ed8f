#include "models/vsphere/import/host_functions.hpp"

#include <fmt/core.h>

#include <utility>

namespace vgsim::vsphere::import {
namespace {

constexpr std::size_t kMostFunctions = 4096;

}  // namespace

void HostFunctions::add(PciFunction function) {
  // One too many is enough for place() to refuse them.
  if (functions_.size() > kMostPciFunctions) return;
  index_.try_emplace(function.device.bus_id, functions_.size());
  functions_.push_back(std::move(function));
}

Device* HostFunctions::at(const std::string& bus_id) {
  const auto listed = index_.find(bus_id);
  if (listed != index_.end()) return &functions_[listed->second].device;
  const auto added = new_.find(bus_id);
  return added == new_.end() ? nullptr : &added->second;
}

Device& HostFunctions::at_or_new(const std::string& bus_id, DeviceKind kind) {
  if (Device* known = at(bus_id)) return *known;
  Device& device = new_[bus_id];
  device.bus_id = bus_id;
  device.kind = kind;
  return device;
}

void HostFunctions::set_numa_nodes(const std::map<std::string, std::int64_t>& nodes) {
  for (const auto& [bus_id, node] : nodes) {
    if (Device* device = at(bus_id)) device->numa_node = notes_.stated(node);
  }
}

void HostFunctions::place(Inventory& host) {
  if (new_.size() > kMostFunctions) {
    notes_.error(codes::kTooMuch, Place{}, fmt::format("{} devices", new_.size()),
                 fmt::format("at most {}", kMostFunctions));
    return;
  }
  place_pci_functions(std::move(functions_), notes_, host);
  for (auto& [bus_id, device] : new_) {
    notes_.skip("the file does not state the place in the PCI tree", bus_id);
    host.unplaced.push_back(std::move(device));
  }
}

}  // namespace vgsim::vsphere::import
