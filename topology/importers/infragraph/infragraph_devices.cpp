#include "topology/importers/infragraph/infragraph_devices.hpp"

#include <fmt/core.h>

#include "topology/importers/text.hpp"

namespace vgsim::topology::infragraph {

DeviceIndex::DeviceIndex(const Document& document) {
  for (const Device& device : document.devices) devices_.emplace(device.name, &device);
  for (const Device& device : document.devices) {
    Contents& contents = contents_[&device];
    for (const Component& component : device.components) {
      const bool is_device = component.kind == ComponentKind::kDevice;
      contents.gpu = contents.gpu || (!is_device && role_of(component) == Role::kGpu);
      contents.cpu = contents.cpu || component.kind == ComponentKind::kCpu;
      contents.nic = contents.nic || component.kind == ComponentKind::kNic ||
                     component.kind == ComponentKind::kPort;
      const Device* inner = is_device ? find(component.name) : nullptr;
      if (inner != nullptr) inner_[&device].push_back(inner);
    }
  }
  for (std::size_t round = 0; round < kMaxNesting; ++round) {
    for (const auto& [device, parts] : inner_) {
      for (const Device* part : parts) contents_[device].add(contents_[part]);
    }
  }
}

const Device* DeviceIndex::find(const std::string& name) const {
  const auto found = devices_.find(name);
  return found == devices_.end() ? nullptr : found->second;
}

std::optional<Role> DeviceIndex::role_as_part(const Device& device,
                                              const Component& component) const {
  const Contents& contents = this->contents(device);
  const std::string words =
      lower_case(fmt::format("{} {} {}", device.name, device.description, component.description));
  if (contents.gpu) return std::nullopt;
  for (const char* word : {"sfp", "transceiver"}) {
    if (words.find(word) != words.npos && !speaks_of_nic(words)) return Role::kPort;
  }
  const bool is_card = contents.nic && (!contents.cpu || speaks_of_nic(words));
  return is_card ? std::optional(Role::kNic) : std::nullopt;
}

}  // namespace vgsim::topology::infragraph
