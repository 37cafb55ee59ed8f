#include "topology/importers/infragraph/infragraph_annotate.hpp"

#include <fmt/core.h>

#include <type_traits>

namespace vgsim::topology::infragraph {
namespace {

using inventory::DeviceKind;
using inventory::Maybe;

bool is_placeholder(const std::string& bus_id) {
  for (const DeviceKind kind : {DeviceKind::kGpu, DeviceKind::kNic, DeviceKind::kBridge}) {
    const std::string example = inventory::placeholder_bus_id(kind, 0);
    if (bus_id.starts_with(example.substr(0, example.find(':') + 1))) return true;
  }
  return false;
}

template <class T>
void put(Attributes& attributes, std::string name, const Maybe<T>& value) {
  if (!value || value->source == inventory::kAssumed) return;
  if constexpr (std::is_same_v<T, std::string>) {
    if (!value->value.empty()) attributes.emplace_back(std::move(name), value->value);
  } else if constexpr (std::is_same_v<T, bool>) {
    attributes.emplace_back(std::move(name), value->value ? "1" : "0");
  } else {
    attributes.emplace_back(std::move(name), std::to_string(value->value));
  }
}

void put(Attributes& attributes, const inventory::Gpu& gpu) {
  put(attributes, "dev", gpu.index);
  put(attributes, "uuid", gpu.uuid);
  put(attributes, "sm", gpu.sm);
  put(attributes, "gcn", gpu.gcn);
  put(attributes, "rank", gpu.rank);
  put(attributes, "gdr", gpu.gdr);
  put(attributes, "module_id", gpu.module_id);
}

void put(Attributes& attributes, const std::vector<inventory::Port>& ports) {
  std::size_t number = 0;
  for (const inventory::Port& port : ports) {
    const std::string behind = ++number == 1 ? std::string() : fmt::format("_{}", number);
    put(attributes, "name" + behind, port.name);
    put(attributes, "dev" + behind, port.dev);
    put(attributes, "speed" + behind, port.megabits);
    put(attributes, "port" + behind, port.port);
    put(attributes, "guid" + behind, port.guid);
    put(attributes, "maxconn" + behind, port.maxconn);
    put(attributes, "gdr" + behind, port.gdr);
    put(attributes, "coll" + behind, port.coll);
  }
}

}  // namespace

Attributes annotations_of(const inventory::Device& device) {
  Attributes attributes;
  if (!device.bus_id.empty() && !is_placeholder(device.bus_id)) {
    attributes.emplace_back("busid", device.bus_id);
  }
  put(attributes, "pci_class", device.pci_class);
  put(attributes, "vendor_id", device.vendor);
  put(attributes, "device_id", device.device);
  put(attributes, "subsystem_vendor_id", device.subsystem_vendor);
  put(attributes, "subsystem_device_id", device.subsystem_device);
  put(attributes, "driver", device.driver);
  put(attributes, "slot", device.slot);
  put(attributes, "numa_node", device.numa_node);
  if (device.gpu) put(attributes, *device.gpu);
  put(attributes, device.ports);
  return attributes;
}

Attributes annotations_of(const inventory::NumaNode& node) {
  Attributes attributes;
  put(attributes, "numa_node", node.id);
  put(attributes, "package", node.package);
  put(attributes, "cpu_list", node.cpu_list);
  put(attributes, "arch", node.arch);
  put(attributes, "vendor", node.vendor);
  put(attributes, "family", node.family);
  put(attributes, "model_number", node.model);
  put(attributes, "cores", node.cores);
  return attributes;
}

Attributes annotations_of(const inventory::Inventory& host) {
  Attributes attributes;
  put(attributes, "host_name", host.name);
  put(attributes, "host_vendor", host.vendor);
  put(attributes, "host_model", host.model);
  put(attributes, "hypervisor", host.hypervisor);
  put(attributes, "driver", host.driver);
  return attributes;
}

}  // namespace vgsim::topology::infragraph
