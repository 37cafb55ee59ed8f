#include "topology/machine/device_facts.hpp"

#include <algorithm>
#include <charconv>

#include "topology/graph/pcie_speed.hpp"
#include "topology/machine/topology_words.hpp"

namespace vgsim::topology::inventory {

std::string pci_class_of(const Device& device) {
  std::string code = device.pci_class ? device.pci_class->value : usual_pci_class(device.kind);
  return code.size() == 4 ? code + "00" : code;
}

std::string pci_id_of(const Device& device) {
  const auto is_known = [](const Maybe<std::string>& id) {
    return id && id->value.size() == 4 && id->value != "0000" && id->value != "ffff";
  };
  if (!is_known(device.vendor) || !is_known(device.device)) return {};
  return device.vendor->value + ":" + device.device->value;
}

LinkText link_text_of(const Device& device) {
  if (device.link && !device.nccl_speed && !device.nccl_width) {
    return {std::string(pcie_link_speed(device.link->value.generation)), device.link->value.lanes};
  }
  return {device.nccl_speed ? device.nccl_speed->value : std::string(),
          device.nccl_width ? device.nccl_width->value : 0};
}

BytesPerSecond stated_rate(const std::vector<Port>& ports) {
  BytesPerSecond sum;
  for (const Port& port : ports) {
    if (port.rate && port.rate->value <= kFastestPort) sum += port.rate->value;
  }
  return sum;
}

std::uint64_t guid_of(const Port& port) {
  std::uint64_t guid = 0;
  if (!port.guid || !port.guid->value.starts_with("0x")) return guid;
  const std::string& text = port.guid->value;
  std::from_chars(text.data() + 2, text.data() + text.size(), guid, 16);
  return guid;
}

std::int64_t numa_number(const Inventory& host, std::size_t node) {
  if (const auto& id = host.numa_nodes[node].id) return id->value;
  const bool numbered = std::ranges::any_of(
      host.numa_nodes, [](const NumaNode& each) { return each.id.has_value(); });
  return numbered ? -1 : static_cast<std::int64_t>(node);
}

}  // namespace vgsim::topology::inventory
