#include "models/vsphere/import/pci_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "models/vsphere/import/pci_ids.hpp"
#include "models/vsphere/import/reading.hpp"

namespace vgsim::vsphere::import {
namespace {

constexpr std::size_t kMostPciDevices = 4096;
constexpr int kDeepestBridge = 32;

/// The parent of a function.
enum class Above : std::uint8_t { kRootBus, kRootPort, kUpstream, kDownstream, kMissing };

struct Entry {
  PciFunction function;
  std::optional<std::size_t> parent;  ///< index of the bridge above, of those that are listed
  Above above = Above::kRootBus;      ///< without such a bridge: kRootBus or kMissing
  std::string root_bus;               ///< of kRootBus
  bool wanted = false;                ///< it, or something below it, is kept
  std::vector<std::size_t> below;
};

std::string pci_class(const Device& device) {
  return device.pci_class ? device.pci_class->value : std::string();
}

bool is_bridge(const Entry& entry) { return entry.function.device.kind == DeviceKind::kBridge; }

Maybe<std::int64_t> numa_below(const Device& device) {
  if (device.numa_node) return device.numa_node;
  for (const Device& child : device.below) {
    if (auto node = numa_below(child)) return node;
  }
  return std::nullopt;
}

/// Functions name the bridge above them. Ports of a switch are folded into one device: root ports
/// and downstream ports are removed, an upstream port is the switch. Untrusted files may contain
/// duplicate functions, circles, and bridges that are named but not listed. A device below
/// such a bridge has no place, only the number of its bus.
class PciTree {
 public:
  PciTree(FileNotes& notes, Inventory& host)
      : notes_(notes), host_(host), one_node_(host.numa_nodes.size() == 1) {}

  void build(std::vector<PciFunction> functions) {
    keep(std::move(functions));
    if (notes_.failed()) return;
    find_parents();
    break_circles();
    mark_wanted();
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (entries_[i].wanted && !entries_[i].parent) emit_top(i);
    }
    tell_of_missing_bridges();
  }

 private:
  void keep(std::vector<PciFunction> functions) {
    if (functions.size() > kMostPciFunctions) {
      return too_many(functions.size(), kMostPciFunctions, "PCI functions");
    }
    for (PciFunction& function : functions) {
      const std::string& id = function.device.bus_id;
      if (!index_.try_emplace(id, entries_.size()).second) {
        notes_.warning(codes::kOddValue, function.place,
                       fmt::format("PCI function {} is listed twice; the first one counts", id));
        continue;
      }
      Entry entry;
      entry.function = std::move(function);
      const bool wanted = find_kind(entry.function);
      if (wanted && !is_bridge(entry)) {
        entry.wanted = true;
        ++kept_;
      }
      entries_.push_back(std::move(entry));
    }
    if (kept_ > kMostPciDevices) too_many(kept_, kMostPciDevices, "PCI devices");
  }

  void too_many(std::size_t count, std::size_t most, const char* what) {
    notes_.error(codes::kTooMuch, entries_.empty() ? Place{} : entries_.front().function.place,
                 fmt::format("{} {}", count, what), fmt::format("at most {}", most));
  }

  bool find_kind(PciFunction& function) {
    Device& device = function.device;
    const std::string vendor = device.vendor ? device.vendor->value : std::string();
    const auto kind = device_kind(pci_class(device), vendor);
    if (function.virtual_function) {
      notes_.skip("virtual functions are omitted, since they are not separate cards",
                  device.bus_id);
      return false;
    }
    if (!kind) {
      ++others_;
      return false;
    }
    device.kind = *kind;
    if (kind == DeviceKind::kGpu && !device.gpu) device.gpu.emplace();
    return true;
  }

  void find_parents() {
    const bool tree_told = std::ranges::any_of(entries_, is_bridge);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      Entry& entry = entries_[i];
      const std::string bus = bus_of(entry.function.device.bus_id);
      const std::string& parent = entry.function.parent;
      const auto found = index_.find(parent);
      entry.root_bus = bus;
      // A bridge is never on its secondary bus, even if the file states it.
      if (entry.function.root_port) {
        entry.above = Above::kRootBus;
      } else if (parent.empty() || bus_of(parent) == bus) {
        entry.above = tree_told ? Above::kRootBus : Above::kMissing;
      } else if (found == index_.end()) {
        entry.above = Above::kMissing;
      } else if (is_host_bridge(pci_class(entries_[found->second].function.device))) {
        entry.root_bus = bus_of(parent);
      } else {
        entry.parent = found->second;
        entries_[found->second].below.push_back(i);
      }
    }
  }

  /// Circles, and chains that are longer than any real one, are cut where they are too deep.
  void break_circles() {
    for (Entry& entry : entries_) {
      int depth = 0;
      for (auto up = entry.parent; up && depth <= kDeepestBridge; up = entries_[*up].parent)
        ++depth;
      if (depth <= kDeepestBridge) continue;
      notes_.warning(codes::kOddValue, entry.function.place,
                     fmt::format("the bridges above {} form a cycle, or are more than {}",
                                 entry.function.device.bus_id, kDeepestBridge));
      entry.parent.reset();
      entry.above = Above::kMissing;
    }
  }

  void mark_wanted() {
    for (const Entry& entry : entries_) {
      if (!entry.wanted || is_bridge(entry)) continue;
      for (auto up = entry.parent; up && !entries_[*up].wanted; up = entries_[*up].parent) {
        entries_[*up].wanted = true;
        entries_[*up].function.device.kind = DeviceKind::kBridge;
      }
    }
    for (const Entry& entry : entries_) {
      if (!entry.wanted && is_bridge(entry)) ++others_;
    }
    if (others_ == 0) return;
    notes_.skip(
        fmt::format("{} PCI functions are omitted that are neither GPU, NIC, NVMe nor NVSwitch, "
                    "nor a bridge above one",
                    others_));
  }

  void emit_top(std::size_t index) {
    const Entry& entry = entries_[index];
    std::vector<Device> devices;
    emit(index, entry.above, devices);
    for (Device& device : devices) {
      if (entry.above == Above::kMissing) {
        leave_unplaced(entry, std::move(device));
        continue;
      }
      device.root_complex = notes_.stated(entry.root_bus);
      auto node = numa_below(device);
      if (!node) node = entry.function.device.numa_node;
      check_numa(device, node, entry);
      numa_node(node).devices.push_back(std::move(device));
    }
  }

  /// Adds the function to `devices`, or, of a root port or a downstream port, the devices below it.
  void emit(std::size_t index, Above above, std::vector<Device>& devices) {
    Entry& entry = entries_[index];
    const bool own_bus_is_root = entry.root_bus == bus_of(entry.function.device.bus_id);
    const bool root_port = above == Above::kRootBus && is_bridge(entry) && own_bus_is_root;
    const bool downstream = above == Above::kUpstream && is_bridge(entry);
    if (root_port || downstream) {
      const Above next = root_port ? Above::kRootPort : Above::kDownstream;
      return emit_below(index, next, devices);
    }
    Device device = entry.function.device;
    emit_below(index, Above::kUpstream, device.below);
    devices.push_back(std::move(device));
  }

  void emit_below(std::size_t index, Above above, std::vector<Device>& devices) {
    for (const std::size_t child : entries_[index].below) {
      // Links that close a circle have been cut.
      if (entries_[child].wanted && entries_[child].parent == index) emit(child, above, devices);
    }
  }

  void leave_unplaced(const Entry& entry, Device device) {
    const std::string& parent = entry.function.parent;
    if (parent.empty()) {
      notes_.skip("the file does not state the place in the PCI tree", device.bus_id);
    } else {
      device.parent = notes_.stated(parent);
      orphans_[bus_of(parent)].push_back(device.bus_id);
    }
    host_.unplaced.push_back(std::move(device));
  }

  void tell_of_missing_bridges() {
    for (const auto& [bus, devices] : orphans_) {
      notes_.skip("the file names bridges above devices, but does not list them",
                  fmt::format("on bus {}", bus));
      if (devices.size() < 2) continue;
      const std::vector<std::string> some(
          devices.begin(),
          devices.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(devices.size(), 5)));
      notes_.assume("devices below bridges of one bus share a switch or a root complex",
                    fmt::format("{}{} below bus {}", fmt::join(some, " and "),
                                devices.size() > some.size() ? " and others" : "", bus));
    }
  }

  void check_numa(const Device& device, const Maybe<std::int64_t>& node, const Entry& entry) {
    if (!node) {
      if (!one_node_) notes_.skip("the file does not state the NUMA node", device.bus_id);
      return;
    }
    for_each_below(device, [&](const Device& child) {
      if (!child.numa_node || child.numa_node->value == node->value) return;
      notes_.warning(codes::kContradiction, entry.function.place,
                     fmt::format("{} is in NUMA node {}, and {} below it in {}", device.bus_id,
                                 node->value, child.bus_id, child.numa_node->value));
    });
    const auto [known, is_new] = node_of_bus_.try_emplace(entry.root_bus, node->value);
    if (is_new || known->second == node->value) return;
    if (!warned_.insert(entry.root_bus).second) return;
    notes_.warning(codes::kContradiction, entry.function.place,
                   fmt::format("root bus {} leads to devices in NUMA nodes {} and {}",
                               entry.root_bus, known->second, node->value));
  }

  template <class Visit>
  static void for_each_below(const Device& device, const Visit& visit) {
    for (const Device& child : device.below) {
      visit(child);
      for_each_below(child, visit);
    }
  }

  NumaNode& numa_node(const Maybe<std::int64_t>& id) {
    if (!id && one_node_) return host_.numa_nodes.front();
    for (NumaNode& node : host_.numa_nodes) {
      if (node.id == id) return node;
    }
    NumaNode node;
    node.id = id;
    // In the order of their ids, that of unknown devices last.
    const auto later = [&](const NumaNode& other) {
      return !other.id || (id && other.id->value > id->value);
    };
    const auto at = std::ranges::find_if(host_.numa_nodes, later);
    return *host_.numa_nodes.insert(at, std::move(node));
  }

  FileNotes& notes_;
  Inventory& host_;
  const bool one_node_;  ///< the file states that the host has a single NUMA node
  std::vector<Entry> entries_;
  std::unordered_map<std::string, std::size_t> index_;  ///< of entries by bus id
  std::map<std::string, std::vector<std::string>> orphans_;
  std::map<std::string, std::int64_t> node_of_bus_;
  std::set<std::string> warned_;  ///< root buses
  std::size_t kept_ = 0;
  std::size_t others_ = 0;
};

}  // namespace

void place_pci_functions(std::vector<PciFunction> functions, FileNotes& notes, Inventory& host) {
  PciTree(notes, host).build(std::move(functions));
}

}  // namespace vgsim::vsphere::import
