#include "topology/importers/infragraph/infragraph_writer.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "topology/importers/infragraph/infragraph_links.hpp"
#include "topology/importers/infragraph/infragraph_notes.hpp"
#include "topology/inventory/device_names.hpp"
#include "topology/inventory/pci_class.hpp"

namespace vgsim::topology {
namespace {

using infragraph::Attributes;
using infragraph::Component;
using infragraph::ComponentKind;
using inventory::Device;
using inventory::DeviceKind;
using inventory::Inventory;
using inventory::NumaNode;
using inventory::NvLinks;

/// A name as the schema allows it.
std::string plain_name(const std::string& text, const char* otherwise) {
  std::string name = text.substr(0, 64);
  std::ranges::replace_if(
      name,
      [](char c) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        return !letter && !(c >= '0' && c <= '9') && c != '-' && c != '_' && c != ' ';
      },
      '_');
  const bool says_something = name.find_first_not_of("_ ") != name.npos;
  return says_something ? name : std::string(otherwise);
}

/// One of the components that a component stands for.
struct Ref {
  std::size_t component = 0;
  std::int64_t index = 0;

  friend auto operator<=>(const Ref&, const Ref&) = default;
};

/// What a device is called and how it is described.
struct Kind {
  const char* name;
  ComponentKind kind;
  const char* custom_type;
};

Kind kind_of(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::kGpu:
      return {"xpu", ComponentKind::kXpu, ""};
    case DeviceKind::kNic:
      return {"nic", ComponentKind::kNic, ""};
    case DeviceKind::kBridge:
      return {"pci_bridge", ComponentKind::kCustom, "pci_bridge"};
    case DeviceKind::kNvSwitch:
      return {"nvswitch", ComponentKind::kSwitch, ""};
    case DeviceKind::kStorage:
      return {"nvme", ComponentKind::kCustom, "nvme"};
    case DeviceKind::kOther:
      break;
  }
  return {"other", ComponentKind::kCustom, "other"};
}

/// Alike devices become one component with a count; GPUs and CPUs keep their order, since their
/// numbers mean something. Edges name ends by index. What the schema has no field for (bus ids,
/// NUMA nodes, ports) goes into annotations, from which the importer reads it back.
class Writer {
 public:
  explicit Writer(const Inventory& host) : host_(host) {}

  [[nodiscard]] infragraph::Document write();

 private:
  [[nodiscard]] Ref add(const Kind& kind, const std::string& description, Attributes notes);
  [[nodiscard]] Ref add(const Device& device);
  void add_tree(const Device& device, std::optional<Ref> parent);
  void add_node(const NumaNode& node);
  [[nodiscard]] Ref root_of(Ref cpu, const std::string& root_complex);
  void add_nvlinks();
  void add_nvlinks(const Device& gpu, const NvLinks& links);
  [[nodiscard]] Ref nvswitch(const std::string& bus_id);
  void add_edge(Ref a, Ref b, const std::string& link);

  const Inventory& host_;
  infragraph::Device device_;
  infragraph::LinkTable links_;
  std::string node_;  ///< what annotations begin with
  std::vector<infragraph::NodeAnnotation> notes_;
  std::map<std::pair<std::string, std::string>, std::size_t> components_;  ///< name, description
  std::map<std::string, int> numbers_;                                     ///< of components
  std::map<std::string, std::string> last_models_;                         ///< by name
  std::map<const Device*, Ref> gpus_;
  std::map<std::string, Ref> by_bus_id_;  ///< GPUs and NVSwitches
  std::map<std::pair<Ref, std::string>, Ref> roots_;
  std::map<std::pair<Ref, Ref>, infragraph::LinkBundle> bundles_;
};

Ref Writer::add(const Kind& kind, const std::string& description, Attributes notes) {
  // GPUs and CPUs keep their order, so that one of another model between them begins anew.
  const bool is_ordered = kind.kind == ComponentKind::kXpu || kind.kind == ComponentKind::kCpu;
  std::string& last = last_models_[kind.name];
  if (is_ordered && description != last) components_.erase({kind.name, description});
  last = description;
  const auto [place, is_new] =
      components_.emplace(std::pair(kind.name, description), device_.components.size());
  if (is_new) {
    const int number = ++numbers_[kind.name];
    Component component;
    component.name = number == 1 ? kind.name : fmt::format("{}_{}", kind.name, number);
    component.description = description;
    component.kind = kind.kind;
    component.custom_type = kind.custom_type;
    component.count = 0;
    device_.components.push_back(std::move(component));
  }
  Component& component = device_.components[place->second];
  const Ref ref{place->second, (*component.count)++};
  if (!notes.empty()) {
    notes_.push_back({fmt::format("{}.{}.{}", node_, component.name, ref.index), std::move(notes)});
  }
  return ref;
}

Ref Writer::add(const Device& device) {
  const auto known = gpus_.find(&device);
  if (known != gpus_.end()) return known->second;
  const Ref ref = add(kind_of(device.kind), device.name ? device.name->value : std::string(),
                      infragraph::annotations_of(device));
  const bool can_have_links =
      device.kind == DeviceKind::kGpu || device.kind == DeviceKind::kNvSwitch;
  if (can_have_links && !device.bus_id.empty()) by_bus_id_.emplace(device.bus_id, ref);
  return ref;
}

void Writer::add_edge(Ref a, Ref b, const std::string& link) {
  const auto end = [&](Ref ref) {
    return infragraph::Endpoint{
        "", fmt::format("{}[{}]", device_.components[ref.component].name, ref.index)};
  };
  device_.edges.push_back({end(a), end(b), infragraph::Scheme::kOneToOne, link});
}

void Writer::add_tree(const Device& device, std::optional<Ref> parent) {
  const Ref ref = add(device);
  if (parent) add_edge(*parent, ref, links_.pcie(device.link));
  for (const Device& below : device.below) add_tree(below, ref);
}

Ref Writer::root_of(Ref cpu, const std::string& root_complex) {
  const auto known = roots_.find({cpu, root_complex});
  if (known != roots_.end()) return known->second;
  const Ref root = add({"root_bridge", ComponentKind::kCustom, "root_bridge"}, "root complex",
                       {{"root_complex", root_complex}});
  add_edge(cpu, root, links_.pcie(std::nullopt));
  roots_.emplace(std::pair(cpu, root_complex), root);
  return root;
}

void Writer::add_node(const NumaNode& node) {
  const std::string model = node.cpu_name    ? node.cpu_name->value
                            : host_.cpu_name ? host_.cpu_name->value
                            : node.vendor    ? node.vendor->value
                                             : std::string();
  const Ref cpu = add({"cpu", ComponentKind::kCpu, ""}, model, infragraph::annotations_of(node));
  for (const Device& device : node.devices) {
    add_tree(device, device.root_complex ? root_of(cpu, device.root_complex->value) : cpu);
  }
  for (const Device& nic : node.without_pcie) {
    add_edge(cpu, add(nic), links_.add({"cpu_nic", "a NIC whose place on PCIe is not told", {}}));
  }
}

Ref Writer::nvswitch(const std::string& bus_id) {
  const auto known = by_bus_id_.find(bus_id);
  if (known != by_bus_id_.end()) return known->second;
  Attributes notes;
  if (bus_id != inventory::kHiddenNvSwitch) notes.emplace_back("busid", bus_id);
  const Ref ref = add(kind_of(DeviceKind::kNvSwitch), "NVSwitch", std::move(notes));
  by_bus_id_.emplace(bus_id, ref);
  return ref;
}

void Writer::add_nvlinks(const Device& gpu, const NvLinks& links) {
  const Ref from = gpus_.at(&gpu);
  const auto known = by_bus_id_.find(links.target.value);
  const bool is_switch = links.target.value == inventory::kHiddenNvSwitch ||
                         (links.target_class && is_nvswitch_class(links.target_class->value));
  if (known == by_bus_id_.end() && !is_switch) return;
  const Ref to = known != by_bus_id_.end() ? known->second : nvswitch(links.target.value);
  if (to == from || links.count.value <= 0) return;
  const double each = links.gigabytes_per_second ? links.gigabytes_per_second->value : 0.0;
  const infragraph::LinkBundle told{gpu.gpu->xgmi, links.count.value, each};
  // Both ends of a link may list it.
  infragraph::LinkBundle& bundle = bundles_[{std::min(from, to), std::max(from, to)}];
  bundle = std::max(bundle, told);
}

void Writer::add_nvlinks() {
  for (const Device* gpu : inventory::gpus_in_order(host_)) {
    if (!gpu->gpu) continue;
    for (const NvLinks& links : gpu->gpu->nvlinks) add_nvlinks(*gpu, links);
  }
  for (const auto& [ends, bundle] : bundles_) {
    add_edge(ends.first, ends.second, links_.gpu(bundle));
  }
}

infragraph::Document Writer::write() {
  infragraph::Document document;
  const std::string model = host_.model ? host_.model->value : std::string();
  document.name = plain_name(host_.name ? host_.name->value : std::string(), "host");
  document.graph = infragraph::annotations_of(host_);
  device_.name = plain_name(model, "server");
  device_.description = model;
  node_ = document.name + ".0";
  for (const Device* gpu : inventory::gpus_in_order(host_)) {
    const Ref ref = add(*gpu);
    gpus_.emplace(gpu, ref);
  }
  for (const NumaNode& node : host_.numa_nodes) add_node(node);
  for (const Device& device : host_.unplaced) add_tree(device, std::nullopt);
  if (host_.numa_nodes.size() > 1) {
    device_.edges.push_back({{"", "cpu"},
                             {"", "cpu"},
                             infragraph::Scheme::kManyToMany,
                             links_.add({"cpu_fabric", "between CPUs", std::nullopt})});
  }
  add_nvlinks();
  device_.links = std::move(links_.links);
  document.devices.push_back(std::move(device_));
  document.instances.push_back({document.name, document.devices.front().name, 1});
  document.nodes = std::move(notes_);
  return document;
}

}  // namespace

infragraph::Document infragraph_document(const Inventory& host) { return Writer(host).write(); }

std::string to_infragraph(const Inventory& host) {
  return infragraph::to_json(infragraph_document(host));
}

}  // namespace vgsim::topology
