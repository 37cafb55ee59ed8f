#include "topology/machine/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "topology/machine/device_names.hpp"
#include "topology/machine/import_codes.hpp"

namespace vgsim::topology::inventory {
namespace {

std::string text_of(const std::string& value) { return value; }
std::string text_of(std::int64_t value) { return std::to_string(value); }
std::string text_of(bool value) { return value ? "true" : "false"; }
std::string text_of(PcieWidth value) {
  return fmt::format("Gen{} x{}", value.generation, value.lanes);
}

bool same(const PcieWidth& a, const PcieWidth& b) {
  return a.generation == b.generation && a.lanes == b.lanes;
}
template <class T>
bool same(const T& a, const T& b) {
  return a == b;
}

/// Bus ids of GPUs that are not placeholders.
std::set<std::string> gpu_bus_ids(const Inventory& host) {
  std::set<std::string> ids;
  for_each_device(host, [&](const Device& device) {
    const bool is_real = !device.bus_id.empty() && !is_placeholder_bus_id(device.bus_id);
    if (device.kind == DeviceKind::kGpu && is_real) ids.insert(device.bus_id);
  });
  return ids;
}

/// A source file with facts of a GPU, for messages.
std::string source_of(const Inventory& host) {
  std::string source;
  for_each_device(host, [&](const Device& device) {
    if (device.kind != DeviceKind::kGpu || !source.empty()) return;
    for (const auto* stated : {&device.pci_class, &device.vendor, &device.name, &device.cpu_list}) {
      if (*stated) source = (*stated)->source;
    }
    if (device.gpu && device.gpu->index) source = device.gpu->index->source;
  });
  return source.empty() ? "a file" : source;
}

/// Number of GPUs and NICs with a place in the tree, then of all placed devices.
std::tuple<std::size_t, std::size_t> placed_in(const Inventory& host) {
  std::size_t known = 0;
  std::size_t all = 0;
  for_each_device(host, [&](const Device& device) {
    ++all;
    known += device.kind == DeviceKind::kGpu || device.kind == DeviceKind::kNic;
  });
  for (const Device& device : host.unplaced) {
    --all;
    known -= device.kind == DeviceKind::kGpu || device.kind == DeviceKind::kNic;
  }
  return {known, all};
}

/// The part that places most GPUs and NICs is the base and keeps its tree; the others add facts
/// that it lacks. Devices are looked up in the base by bus id, UUID, port name and number. Devices
/// that are not in the base are added below the nearest common bridge, else to their NUMA node,
/// after all lookups, because additions move devices in memory.
class Merger {
 public:
  explicit Merger(Inventory base) : host_(std::move(base)) {}

  void add(Inventory part) {
    index();
    fill_host(part);
    for (NumaNode& node : part.numa_nodes) add_numa_node(std::move(node));
    for (NumaNode& node : added_nodes_) host_.numa_nodes.push_back(std::move(node));
    added_nodes_.clear();
    for (Device& device : part.unplaced) {
      if (auto left = merged_or_left(std::move(device))) left_.emplace_back(-1, std::move(*left));
    }
    place_left();
    append(part);
  }

  Inventory take() && { return std::move(host_); }

 private:
  /// Index of the devices by their identifiers. The pointers are valid until place_left() adds
  /// devices.
  void index() {
    by_bus_id_.clear();
    by_uuid_.clear();
    by_port_.clear();
    by_gpu_.clear();
    for_each_device(host_, [&](Device& device) {
      if (!device.bus_id.empty()) by_bus_id_.emplace(device.bus_id, &device);
      if (device.gpu && device.gpu->uuid) by_uuid_.emplace(device.gpu->uuid->value, &device);
      for (const Port& port : device.ports) {
        if (port.name) by_port_.emplace(port.name->value, &device);
      }
    });
    std::int64_t number = 0;
    for (Device* gpu : gpus_in_order(host_)) {
      const bool stated = gpu->gpu && gpu->gpu->index;
      by_gpu_.emplace(stated ? gpu->gpu->index->value : number, gpu);
      ++number;
    }
  }

  template <class Map, class Key>
  static Device* look_up(const Map& map, const Key& key) {
    const auto found = map.find(key);
    return found == map.end() ? nullptr : found->second;
  }

  Device* find(const Device& device) const {
    if (!device.bus_id.empty()) {
      if (Device* found = look_up(by_bus_id_, device.bus_id)) return found;
    }
    if (device.gpu && device.gpu->uuid) {
      if (Device* found = look_up(by_uuid_, device.gpu->uuid->value)) return found;
    }
    for (const Port& port : device.ports) {
      if (!port.name) continue;
      Device* found = look_up(by_port_, port.name->value);
      if (found != nullptr && fits(*found, device)) return found;
    }
    if (device.kind == DeviceKind::kGpu && device.gpu && device.gpu->index) {
      Device* found = look_up(by_gpu_, device.gpu->index->value);
      if (found != nullptr && fits(*found, device)) return found;
    }
    return nullptr;
  }

  /// Whether two devices with different bus ids can be the same: not if both have one.
  static bool fits(const Device& a, const Device& b) {
    return a.bus_id.empty() || b.bus_id.empty();
  }

  template <class T>
  void fill(Maybe<T>& here, const Maybe<T>& there, const std::string& what) {
    if (!there) return;
    if (!here) {
      here = there;
    } else if (!same(here->value, there->value)) {
      host_.warnings.warning(
          topology::import_codes::kContradiction.code, {}, "",
          fmt::format("{}: {} has {}, {} has {}; the first is used", what, here->source,
                      text_of(here->value), there->source, text_of(there->value)));
    }
  }

  /// The same for members that files may word differently without a contradiction.
  template <class Owner, class... Members>
  static void fill_in(Owner& here, const Owner& there, Members... members) {
    const auto take = [](auto& mine, const auto& other) {
      if (!mine) mine = other;
    };
    (take(here.*members, there.*members), ...);
  }

  void fill_host(const Inventory& part) {
    fill(host_.name, part.name, "host name");
    fill(host_.driver, part.driver, "NVIDIA driver");
    fill(host_.packages, part.packages, "sockets");
    fill(host_.cores, part.cores, "cores");
    fill(host_.threads, part.threads, "threads");
    fill(host_.nccl_version, part.nccl_version, "version of the NCCL file");
    fill_in(host_, part, &Inventory::object_id, &Inventory::vendor, &Inventory::model,
            &Inventory::hypervisor, &Inventory::cpu_name, &Inventory::memory);
  }

  /// The corresponding NUMA node of the base: with the same number, or the only one.
  NumaNode* numa_node_like(const NumaNode& node) {
    for (NumaNode& here : host_.numa_nodes) {
      if (here.id && node.id && here.id->value == node.id->value) return &here;
    }
    const bool only = host_.numa_nodes.size() == 1 && (!node.id || !host_.numa_nodes[0].id);
    return only ? &host_.numa_nodes[0] : nullptr;
  }

  void fill_numa_node(NumaNode& here, const NumaNode& node) {
    const std::string what = fmt::format("NUMA node {}", here.id ? here.id->value : 0);
    fill(here.id, node.id, what);
    fill(here.package, node.package, "socket of " + what);
    fill(here.cores, node.cores, "cores of " + what);
    fill_in(here, node, &NumaNode::cpu_list, &NumaNode::affinity, &NumaNode::arch,
            &NumaNode::vendor, &NumaNode::family, &NumaNode::model, &NumaNode::cpu_name,
            &NumaNode::memory, &NumaNode::host_hash);
  }

  void add_numa_node(NumaNode node) {
    NumaNode* here = numa_node_like(node);
    std::ptrdiff_t index = -1;
    if (here != nullptr) {
      fill_numa_node(*here, node);
      index = here - host_.numa_nodes.data();
    } else if (node.id || host_.numa_nodes.empty()) {
      index = static_cast<std::ptrdiff_t>(host_.numa_nodes.size() + added_nodes_.size());
    }
    for (auto* list : {&node.devices, &node.without_pcie}) {
      for (Device& device : *list) {
        if (auto left = merged_or_left(std::move(device))) {
          left_.emplace_back(index, std::move(*left));
        }
      }
      list->clear();
    }
    if (here == nullptr && index >= 0) added_nodes_.push_back(std::move(node));
  }

  /// Merges a device and its descendants into known ones. Returns the device if it is unknown and
  /// relevant; unknown devices below a known bridge are recorded for it.
  std::optional<Device> merged_or_left(Device device) {
    Device* here = find(device);
    std::vector<Device> below = std::move(device.below);
    device.below.clear();
    std::vector<Device> left;
    for (Device& child : below) {
      if (auto kept = merged_or_left(std::move(child))) left.push_back(std::move(*kept));
    }
    if (here != nullptr) {
      fill_device(*here, device);
      for (Device& child : left) below_known_.emplace_back(here->bus_id, std::move(child));
      return std::nullopt;
    }
    device.below = std::move(left);
    const bool matters = device.kind == DeviceKind::kGpu || device.kind == DeviceKind::kNic ||
                         device.kind == DeviceKind::kNvSwitch || !device.below.empty();
    return matters ? std::optional(std::move(device)) : std::nullopt;
  }

  void fill_device(Device& here, const Device& device) {
    const std::string what = here.bus_id.empty() ? label(here) : here.bus_id;
    if (here.kind == DeviceKind::kOther) here.kind = device.kind;
    if (here.bus_id.empty()) here.bus_id = device.bus_id;
    fill(here.vendor, device.vendor, "vendor of " + what);
    fill(here.device, device.device, "device id of " + what);
    fill(here.model, device.model, "model of " + what);
    fill(here.link, device.link, "PCIe link of " + what);
    fill(here.numa_node, device.numa_node, "NUMA node of " + what);
    fill(here.acs_redirect, device.acs_redirect, "ACS of " + what);
    fill(here.passthrough, device.passthrough, "passthrough of " + what);
    fill_in(here, device, &Device::pci_class, &Device::subsystem_vendor, &Device::subsystem_device,
            &Device::name, &Device::driver, &Device::link_now, &Device::nccl_speed,
            &Device::nccl_width, &Device::cpu_list, &Device::parent, &Device::root_complex,
            &Device::slot, &Device::virtual_functions);
    if (device.gpu) fill_gpu(here, *device.gpu, what);
    fill_ports(here, device.ports);
  }

  static std::string label(const Device& device) {
    if (device.gpu && device.gpu->index) return fmt::format("GPU{}", device.gpu->index->value);
    if (!device.ports.empty() && device.ports.front().name) {
      return device.ports.front().name->value;
    }
    return "a device";
  }

  void fill_gpu(Device& device, const Gpu& gpu, const std::string& what) {
    if (!device.gpu) device.gpu.emplace();
    Gpu& here = *device.gpu;
    fill(here.index, gpu.index, "number of " + what);
    fill(here.uuid, gpu.uuid, "UUID of " + what);
    fill(here.sm, gpu.sm, "compute capability of " + what);
    fill(here.gcn, gpu.gcn, "architecture of " + what);
    fill(here.module_id, gpu.module_id, "module id of " + what);
    fill(here.mig, gpu.mig, "MIG mode of " + what);
    fill(here.numa_node, gpu.numa_node, "memory's NUMA node of " + what);
    fill(here.nvlinks_up, gpu.nvlinks_up, "active NVLinks of " + what);
    fill_in(here, gpu, &Gpu::rank, &Gpu::gdr, &Gpu::memory, &Gpu::virtualization);
    if (here.nvlinks.empty()) {
      here.nvlinks = gpu.nvlinks;
      here.xgmi = gpu.xgmi;
    }
    if (here.c2c.empty()) here.c2c = gpu.c2c;
    if (here.vgpus.empty()) here.vgpus = gpu.vgpus;
  }

  static void fill_ports(Device& device, const std::vector<Port>& ports) {
    for (const Port& port : ports) {
      const auto same_port = [&](const Port& here) {
        return !here.name || !port.name || here.name->value == port.name->value;
      };
      const auto here = std::ranges::find_if(device.ports, same_port);
      if (here == device.ports.end()) {
        // A second name of the same port, as in Linux, adds nothing.
        if (device.ports.empty())
          device.ports.push_back(port);
        else if (!device.ports.front().rate)
          device.ports.front().rate = port.rate;
        continue;
      }
      fill_in(*here, port, &Port::name, &Port::dev, &Port::rate, &Port::port, &Port::guid,
              &Port::gdr, &Port::coll);
    }
  }

  /// Adds the remaining devices, those below bridges first: their places are found by bus id.
  void place_left() {
    for (auto& [bus_id, device] : below_known_) {
      Device* parent = nullptr;
      for_each_device(host_, [&, &wanted = bus_id](Device& here) {
        if (here.bus_id == wanted && parent == nullptr) parent = &here;
      });
      if (parent != nullptr) parent->below.push_back(std::move(device));
    }
    below_known_.clear();
    for (auto& [node, device] : left_) {
      if (node < 0) {
        host_.unplaced.push_back(std::move(device));
      } else {
        NumaNode& numa = host_.numa_nodes[static_cast<std::size_t>(node)];
        const bool on_pcie = device.kind != DeviceKind::kNic || !device.bus_id.empty();
        (on_pcie ? numa.devices : numa.without_pcie).push_back(std::move(device));
      }
    }
    left_.clear();
  }

  static void append_new(std::vector<std::string>& list, const std::vector<std::string>& more) {
    std::set<std::string> known(list.begin(), list.end());
    for (const std::string& text : more) {
      if (known.insert(text).second) list.push_back(text);
    }
  }

  void append(Inventory& part) {
    if (part.matrix && !host_.matrix) host_.matrix = std::move(part.matrix);
    std::move(part.graphs.begin(), part.graphs.end(), std::back_inserter(host_.graphs));
    append_new(host_.device_groups, part.device_groups);
    append_new(host_.profiles, part.profiles);
    append_new(host_.assumed, part.assumed);
    append_new(host_.skipped, part.skipped);
    host_.warnings.append(part.warnings);
  }

  Inventory host_;
  std::map<std::string, Device*> by_bus_id_;
  std::map<std::string, Device*> by_uuid_;
  std::map<std::string, Device*> by_port_;
  std::map<std::int64_t, Device*> by_gpu_;
  std::vector<NumaNode> added_nodes_;
  std::vector<std::pair<std::ptrdiff_t, Device>> left_;      ///< NUMA node, or -1
  std::vector<std::pair<std::string, Device>> below_known_;  ///< bus id of the bridge
};

}  // namespace

tl::expected<Inventory, input::Diagnostics> merge(std::vector<Inventory> parts) {
  const auto base = std::ranges::max_element(
      parts, [](const Inventory& a, const Inventory& b) { return placed_in(a) < placed_in(b); });
  const std::set<std::string> known = gpu_bus_ids(*base);
  const std::string base_source = source_of(*base);
  Merger merger(std::move(*base));
  input::Diagnostics diagnostics;
  for (auto part = parts.begin(); part != parts.end(); ++part) {
    if (part == base) continue;
    const std::set<std::string> others = gpu_bus_ids(*part);
    // A file may list only some GPUs. Two files that each list a GPU missing in the other are from
    // different hosts.
    const bool fit = std::includes(known.begin(), known.end(), others.begin(), others.end()) ||
                     std::includes(others.begin(), others.end(), known.begin(), known.end());
    if (!fit) {
      diagnostics.error(topology::import_codes::kDoNotFit.code, {}, "",
                        fmt::format("{} and {} each list GPUs at bus ids where the other has none",
                                    base_source, source_of(*part)),
                        "files of one machine: not of a host and of a guest on it; import others "
                        "one by one");
      continue;
    }
    merger.add(std::move(*part));
  }
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return std::move(merger).take();
}

}  // namespace vgsim::topology::inventory
