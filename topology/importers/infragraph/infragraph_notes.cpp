#include "topology/importers/infragraph/infragraph_notes.hpp"

#include <fmt/core.h>

#include "topology/importers/text.hpp"
#include "topology/inventory/bus_id.hpp"

namespace vgsim::topology::infragraph {
namespace {

using inventory::Maybe;
using inventory::Told;

constexpr std::int64_t kMany = 1'000'000'000;

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
  device.pci_class = notes.hex("pci_class", 6);
  device.vendor = notes.hex("vendor_id", 4);
  device.device = notes.hex("device_id", 4);
  device.subsystem_vendor = notes.hex("subsystem_vendor_id", 4);
  device.subsystem_device = notes.hex("subsystem_device_id", 4);
  device.driver = notes.text("driver");
  device.slot = notes.text("slot");
  device.numa_node = notes.number("numa_node", -1, kMany);
  const auto model = notes.text("model");
  if (model) device.name = model;
}

void read_notes(const Notes& notes, inventory::NumaNode& node) {
  if (const auto id = notes.number("numa_node", -1, kMany)) node.id = id;
  if (const auto package = notes.number("package", 0, kMany)) node.package = package;
  node.cpu_list = notes.text("cpu_list");
  if (node.cpu_list && !is_number_list(node.cpu_list->value)) node.cpu_list.reset();
  node.arch = notes.text("arch");
  if (const auto vendor = notes.text("vendor")) node.vendor = vendor;
  node.family = notes.number("family", 0, kMany);
  node.model = notes.number("model_number", 0, kMany);
  node.cores = notes.number("cores", 1, kMany);
}

void read_notes(const Notes& notes, inventory::Gpu& gpu) {
  if (const auto number = notes.number("dev", 0, kMany)) gpu.index = number;
  gpu.uuid = notes.text("uuid");
  gpu.sm = notes.number("sm", 0, kMany);
  gpu.gcn = notes.text("gcn");
  gpu.rank = notes.number("rank", 0, kMany);
  gpu.gdr = notes.flag("gdr");
  gpu.module_id = notes.number("module_id", 0, kMany);
}

std::vector<inventory::Port> read_ports(const Notes& notes) {
  constexpr int kMostPorts = 16;
  std::vector<inventory::Port> ports;
  for (int i = 1; i <= kMostPorts; ++i) {
    const std::string behind = i == 1 ? std::string() : fmt::format("_{}", i);
    inventory::Port port;
    port.name = notes.text("name" + behind);
    port.dev = notes.number("dev" + behind, 0, kMany);
    port.megabits = notes.number("speed" + behind, 1, kMany);
    port.port = notes.number("port" + behind, 0, kMany);
    port.guid = notes.text("guid" + behind);
    port.maxconn = notes.number("maxconn" + behind, 0, kMany);
    port.gdr = notes.flag("gdr" + behind);
    port.coll = notes.flag("coll" + behind);
    if (!port.name && !port.dev && !port.megabits && !port.port && !port.guid) break;
    ports.push_back(std::move(port));
  }
  return ports;
}

void read_notes(const Notes& notes, inventory::Inventory& host) {
  if (const auto name = notes.text("host_name")) host.name = name;
  if (const auto model = notes.text("host_model")) host.model = model;
  host.vendor = notes.text("host_vendor");
  host.hypervisor = notes.text("hypervisor");
  host.driver = notes.text("driver");
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
