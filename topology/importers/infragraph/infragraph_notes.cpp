#include "topology/importers/infragraph/infragraph_notes.hpp"

#include <fmt/core.h>

#include <concepts>
#include <type_traits>
#include <utility>

#include "topology/importers/text.hpp"
#include "topology/inventory/bus_id.hpp"

namespace vgsim::topology::infragraph {
namespace {

using inventory::Maybe;
using inventory::Told;

constexpr std::int64_t kMany = 1'000'000'000;

/// Hex digits, at most so many.
struct Hex {
  std::size_t digits;
};

/// Visitor of annotate() that takes what annotations tell.
struct Reading {
  const Notes& notes;

  void operator()(const std::string& name, Maybe<std::string>& value) const {
    if (auto told = notes.text(name)) value = std::move(told);
  }
  void operator()(const std::string& name, Maybe<std::string>& value, Hex hex) const {
    if (auto told = notes.hex(name, hex.digits)) value = std::move(told);
  }
  void operator()(const std::string& name, Maybe<bool>& value) const {
    if (auto told = notes.flag(name)) value = told;
  }
  void operator()(const std::string& name, Maybe<std::int64_t>& value, std::int64_t min = 0) const {
    if (auto told = notes.number(name, min, kMany)) value = std::move(told);
  }
};

/// Visitor of annotate() that adds annotations, but for values that were assumed.
struct Writing {
  Attributes& attributes;

  template <class T, class... How>
  void operator()(std::string name, const Maybe<T>& value, How...) const {
    if (!value || value->source == inventory::kAssumed) return;
    if constexpr (std::is_same_v<T, std::string>) {
      if (!value->value.empty()) attributes.emplace_back(std::move(name), value->value);
    } else {
      attributes.emplace_back(std::move(name), std::to_string(value->value));
    }
  }
};

template <class T, class Wanted>
concept Some = std::same_as<std::remove_const_t<T>, Wanted>;

/// Visits what is annotated of each thing under its name, for reading as for writing.
void annotate(Some<inventory::Device> auto& device, const auto& visit) {
  visit("pci_class", device.pci_class, Hex{6});
  visit("vendor_id", device.vendor, Hex{4});
  visit("device_id", device.device, Hex{4});
  visit("subsystem_vendor_id", device.subsystem_vendor, Hex{4});
  visit("subsystem_device_id", device.subsystem_device, Hex{4});
  visit("driver", device.driver);
  visit("slot", device.slot);
  visit("numa_node", device.numa_node, -1);
}

void annotate(Some<inventory::NumaNode> auto& node, const auto& visit) {
  visit("numa_node", node.id, -1);
  visit("package", node.package);
  visit("cpu_list", node.cpu_list);
  visit("arch", node.arch);
  visit("vendor", node.vendor);
  visit("family", node.family);
  visit("model_number", node.model);
  visit("cores", node.cores, 1);
}

void annotate(Some<inventory::Gpu> auto& gpu, const auto& visit) {
  visit("dev", gpu.index);
  visit("uuid", gpu.uuid);
  visit("sm", gpu.sm);
  visit("gcn", gpu.gcn);
  visit("rank", gpu.rank);
  visit("gdr", gpu.gdr);
  visit("module_id", gpu.module_id);
}

/// `number`: of the port, from 1.
void annotate(Some<inventory::Port> auto& port, std::size_t number, const auto& visit) {
  const std::string behind = number == 1 ? std::string() : fmt::format("_{}", number);
  visit("name" + behind, port.name);
  visit("dev" + behind, port.dev);
  visit("speed" + behind, port.megabits, 1);
  visit("port" + behind, port.port);
  visit("guid" + behind, port.guid);
  visit("maxconn" + behind, port.maxconn);
  visit("gdr" + behind, port.gdr);
  visit("coll" + behind, port.coll);
}

void annotate(Some<inventory::Inventory> auto& host, const auto& visit) {
  visit("host_name", host.name);
  visit("host_vendor", host.vendor);
  visit("host_model", host.model);
  visit("hypervisor", host.hypervisor);
  visit("driver", host.driver);
}

}  // namespace

std::string_view Notes::find(std::string_view name) const {
  known_->emplace(name);
  std::string_view found;
  if (attributes_ == nullptr) return found;
  for (const auto& [known, value] : *attributes_) {
    if (known == name) found = value;
  }
  return found;
}

Maybe<std::string> Notes::text(std::string_view name) const {
  const std::string_view value = find(name);
  if (value.empty()) return std::nullopt;
  return Told<std::string>{std::string(value), source_};
}

Maybe<std::int64_t> Notes::number(std::string_view name, std::int64_t min, std::int64_t max) const {
  const auto value = whole_number(find(name), min, max);
  if (!value) return std::nullopt;
  return Told<std::int64_t>{*value, source_};
}

Maybe<bool> Notes::flag(std::string_view name) const {
  const auto value = number(name, 0, 1);
  if (!value) return std::nullopt;
  return Told<bool>{value->value == 1, source_};
}

Maybe<std::string> Notes::hex(std::string_view name, std::size_t digits) const {
  std::string value = lower_case(find(name));
  if (value.starts_with("0x")) value.erase(0, 2);
  const bool is_hex = value.find_first_not_of("0123456789abcdef") == value.npos;
  if (value.empty() || value.size() > digits || !is_hex) return std::nullopt;
  return Told<std::string>{std::move(value), source_};
}

std::string Notes::bus_id() const {
  for (const char* name : {"busid", "bus_id", "pci_bus_id"}) {
    std::string id = normalized_bus_id(find(name));
    if (!id.empty()) return id;
  }
  return {};
}

void read_notes(const Notes& notes, inventory::Device& device) {
  device.bus_id = notes.bus_id();
  annotate(device, Reading{notes});
  if (const auto model = notes.text("model")) device.name = model;
}

void read_notes(const Notes& notes, inventory::NumaNode& node) {
  annotate(node, Reading{notes});
  if (node.cpu_list && !is_number_list(node.cpu_list->value)) node.cpu_list.reset();
}

void read_notes(const Notes& notes, inventory::Gpu& gpu) { annotate(gpu, Reading{notes}); }

std::vector<inventory::Port> read_ports(const Notes& notes) {
  constexpr std::size_t kMostPorts = 16;
  std::vector<inventory::Port> ports;
  for (std::size_t i = 1; i <= kMostPorts; ++i) {
    inventory::Port port;
    annotate(port, i, Reading{notes});
    if (!port.name && !port.dev && !port.megabits && !port.port && !port.guid) break;
    ports.push_back(std::move(port));
  }
  return ports;
}

void read_notes(const Notes& notes, inventory::Inventory& host) { annotate(host, Reading{notes}); }

Attributes annotations_of(const inventory::Device& device) {
  Attributes attributes;
  const Writing write{attributes};
  if (!device.bus_id.empty() && !inventory::is_placeholder_bus_id(device.bus_id)) {
    attributes.emplace_back("busid", device.bus_id);
  }
  annotate(device, write);
  if (device.gpu) annotate(*device.gpu, write);
  for (std::size_t i = 0; i < device.ports.size(); ++i) annotate(device.ports[i], i + 1, write);
  return attributes;
}

Attributes annotations_of(const inventory::NumaNode& node) {
  Attributes attributes;
  annotate(node, Writing{attributes});
  return attributes;
}

Attributes annotations_of(const inventory::Inventory& host) {
  Attributes attributes;
  annotate(host, Writing{attributes});
  return attributes;
}

NoteBook::NoteBook(const Document& document, const std::string& source)
    : document_(&document), source_(source) {
  for (const NodeAnnotation& node : document.nodes) nodes_[node.node] = &node.attributes;
}

Notes NoteBook::of(const std::string& node) {
  const auto found = nodes_.find(node);
  const Attributes* attributes = found == nodes_.end() ? nullptr : found->second;
  if (attributes != nullptr) {
    for (const auto& [name, value] : *attributes) met_.insert(name);
  }
  return {attributes, source_, known_};
}

Notes NoteBook::of_graph() {
  for (const auto& [name, value] : document_->graph) met_.insert(name);
  return {&document_->graph, source_, known_};
}

std::set<std::string> NoteBook::unread() const {
  std::set<std::string> names;
  for (const std::string_view name : met_) {
    if (!known_.contains(std::string(name))) names.emplace(name);
  }
  for (const char* added :
       {"type", "instance", "instance_idx", "device", "composed_device", "link"}) {
    names.erase(added);
  }
  return names;
}

}  // namespace vgsim::topology::infragraph
