#include "topology/machine/complete.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "topology/machine/device_names.hpp"
#include "topology/machine/import_codes.hpp"
#include "topology/machine/matrix_tree.hpp"
#include "topology/machine/path_classes.hpp"

namespace vgsim::topology::inventory {
namespace {

using CpuLists = std::map<std::string, std::string>;  ///< with their sources

bool has_devices(const Inventory& host) {
  return std::ranges::any_of(host.numa_nodes, [](const NumaNode& node) {
    return !node.devices.empty() || !node.without_pcie.empty();
  });
}

void build_tree_of_matrix(Inventory& host) {
  std::vector<Device> rows;
  for (std::size_t row = 0; row < host.matrix->names.size(); ++row) {
    const auto device = std::ranges::find_if(
        host.unplaced, [&](const auto& d) { return is_row(d, *host.matrix, row); });
    if (device == host.unplaced.end()) return;
    rows.push_back(*device);
  }
  std::erase_if(host.unplaced, [&](const Device& device) {
    for (std::size_t row = 0; row < host.matrix->names.size(); ++row) {
      if (is_row(device, *host.matrix, row)) return true;
    }
    return false;
  });
  std::vector<NumaNode> known = std::move(host.numa_nodes);
  host.numa_nodes = tree_of_matrix(*host.matrix, std::move(rows));
  for (NumaNode& node : known) {
    const auto same = std::ranges::find_if(host.numa_nodes, [&](auto& here) {
      return here.id && node.id && here.id->value == node.id->value;
    });
    if (same == host.numa_nodes.end()) {
      host.numa_nodes.push_back(std::move(node));
    } else {
      node.devices = std::move(same->devices);
      if (!node.cpu_list) node.cpu_list = same->cpu_list;
      *same = std::move(node);
    }
  }
  host.assumed.emplace_back(
      "no file contains the PCIe tree; switches and root complexes are the fewest that give the "
      "path "
      "classes of the matrix, and speeds of links are unknown");
}

/// The first CPU of a list such as "0-23,48-71".
std::optional<std::int64_t> first_cpu(const Maybe<std::string>& list) {
  if (!list) return std::nullopt;
  std::int64_t cpu = 0;
  const std::string& text = list->value;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cpu);
  return error == std::errc() ? std::optional(cpu) : std::nullopt;
}

bool holds_cpu(const Maybe<std::string>& list, std::int64_t cpu) {
  if (!list) return false;
  const char* at = list->value.data();
  const char* const end = at + list->value.size();
  while (at < end) {
    std::int64_t low = 0;
    auto [next, error] = std::from_chars(at, end, low);
    if (error != std::errc()) return false;
    std::int64_t high = low;
    if (next < end && *next == '-') {
      const auto [last, bad] = std::from_chars(next + 1, end, high);
      if (bad != std::errc()) return false;
      next = last;
    }
    if (cpu >= low && cpu <= high) return true;
    at = next + 1;
  }
  return false;
}

/// Assigns GPUs, NICs and NVSwitches without a place to NUMA nodes.
///
/// Devices whose bridges share a bus are placed below one switch, because the ports of a switch
/// share a bus. The NUMA node is the stated one, else the node with the CPUs of the device, else
/// the first.
class Placer {
 public:
  explicit Placer(Inventory& host) : host_(host) {}

  void place() {
    std::vector<Device> unplaced = std::move(host_.unplaced);
    host_.unplaced.clear();
    std::map<std::string, std::vector<Device>> by_bridge;
    for (Device& device : unplaced) {
      const bool is_wanted = device.kind == DeviceKind::kGpu || device.kind == DeviceKind::kNic ||
                             device.kind == DeviceKind::kNvSwitch;
      if (!is_wanted) {
        host_.unplaced.push_back(std::move(device));
      } else if (device.parent && device.parent->value.size() >= 7) {
        // "0000:85:03.0": ports of one switch, or of one root complex, share a bus.
        by_bridge[device.parent->value.substr(0, 7)].push_back(std::move(device));
      } else {
        put(node_of(device), std::move(device));
      }
    }
    for (auto& [bus, devices] : by_bridge) place_siblings(bus, std::move(devices));
    say();
  }

 private:
  void place_siblings(const std::string& bus, std::vector<Device> devices) {
    const std::size_t node = node_of(devices.front());
    if (devices.size() == 1) return put(node, std::move(devices.front()));
    Device bridge;
    bridge.kind = DeviceKind::kBridge;
    bridge.root_complex = {bus, kAssumed};
    bridge.below = std::move(devices);
    put(node, std::move(bridge));
    ++siblings_;
  }

  void put(std::size_t node, Device device) {
    NumaNode& numa = host_.numa_nodes[node];
    const bool on_pcie = device.kind != DeviceKind::kNic || !device.bus_id.empty();
    (on_pcie ? numa.devices : numa.without_pcie).push_back(std::move(device));
    ++placed_;
  }

  std::size_t node_of(const Device& device) {
    for (std::size_t n = 0; n < host_.numa_nodes.size(); ++n) {
      const NumaNode& node = host_.numa_nodes[n];
      const bool same_number = device.numa_node && device.numa_node->value >= 0 && node.id &&
                               node.id->value == device.numa_node->value;
      const auto cpu = first_cpu(device.cpu_list);
      if (same_number || (!device.numa_node && cpu && holds_cpu(node.cpu_list, *cpu))) return n;
    }
    if (device.numa_node && device.numa_node->value >= 0) {
      host_.numa_nodes.emplace_back().id = device.numa_node;
      host_.numa_nodes.back().cpu_list = device.cpu_list;
      return host_.numa_nodes.size() - 1;
    }
    ++anywhere_;
    if (host_.numa_nodes.empty()) host_.numa_nodes.emplace_back();
    return 0;
  }

  void say() const {
    if (siblings_ > 0) {
      host_.assumed.emplace_back(
          "devices whose bridges are on one bus are below one PCIe switch; they may be ports of "
          "one "
          "root complex instead");
    }
    if (placed_ > 0) {
      host_.assumed.push_back(fmt::format(
          "{} devices are listed without a PCIe tree; each is assumed on a separate root port{}",
          placed_, siblings_ > 0 ? ", or with its siblings" : ""));
    }
    if (anywhere_ > 0) {
      host_.assumed.push_back(
          fmt::format("the NUMA node of {} devices is unknown; taken as the first", anywhere_));
    }
  }

  Inventory& host_;
  std::size_t placed_ = 0;
  std::size_t siblings_ = 0;
  std::size_t anywhere_ = 0;
};

/// GPUs by their row of the matrix.
std::vector<Device*> gpu_rows(Inventory& host) {
  std::vector<Device*> rows(host.matrix->names.size(), nullptr);
  const std::vector<Device*> ordered = gpus_in_order(host);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t g = 0; g < ordered.size(); ++g) {
      const bool has_index = ordered[g]->gpu && ordered[g]->gpu->index;
      const bool same = has_index ? is_row(*ordered[g], *host.matrix, row)
                                  : fmt::format("GPU{}", g) == host.matrix->names[row];
      if (same) rows[row] = ordered[g];
    }
  }
  return rows;
}

void add_nvlinks(Inventory& host) {
  bool has_links = false;
  for_each_device(host, [&](const Device& device) {
    has_links = has_links || (device.gpu && !device.gpu->nvlinks.empty());
  });
  if (!has_links) add_nvlinks_of_matrix(*host.matrix, gpu_rows(host), host);
}

/// Assigns placeholder bus ids to PCIe devices without one; NVLinks and NCCL identify devices by
/// them.
void give_bus_ids(Inventory& host) {
  std::map<DeviceKind, std::size_t> counts;
  bool any = false;
  const auto walk = [&](auto& self, std::vector<Device>& devices) -> void {
    for (Device& device : devices) {
      const std::size_t index = counts[device.kind]++;
      if (device.bus_id.empty()) {
        const bool has_number = device.gpu && device.gpu->index && device.gpu->index->value >= 0;
        device.bus_id = placeholder_bus_id(
            device.kind, has_number ? static_cast<std::size_t>(device.gpu->index->value) : index);
        any = true;
      }
      self(self, device.below);
    }
  };
  for (NumaNode& node : host.numa_nodes) walk(walk, node.devices);
  if (any) {
    host.assumed.emplace_back(
        "bus ids of domains fff0 to fff2 are placeholders: no file states the real ones");
  }
}

void collect_cpu_lists(const std::vector<Device>& devices, CpuLists& lists) {
  for (const Device& device : devices) {
    if (device.cpu_list) lists.emplace(device.cpu_list->value, device.cpu_list->source);
    collect_cpu_lists(device.below, lists);
  }
}

/// Sets the CPUs of a NUMA node to those near its devices, if the devices agree and no other node
/// has the same.
void give_cpu_lists(Inventory& host) {
  std::vector<CpuLists> of_nodes(host.numa_nodes.size());
  std::map<std::string, std::size_t> nodes;  // nodes with devices near these CPUs
  for (std::size_t n = 0; n < of_nodes.size(); ++n) {
    collect_cpu_lists(host.numa_nodes[n].devices, of_nodes[n]);
    for (const auto& [list, source] : of_nodes[n]) ++nodes[list];
  }
  for (std::size_t n = 0; n < of_nodes.size(); ++n) {
    NumaNode& node = host.numa_nodes[n];
    if (node.cpu_list || of_nodes[n].size() != 1) continue;
    const auto& [list, source] = *of_nodes[n].begin();
    if (nodes.at(list) == 1) node.cpu_list = {list, source};
  }
}

void compare_with_tree(Inventory& host) {
  for (const std::string& difference : differences(*host.matrix, path_classes(host))) {
    host.warnings.warning(topology::import_codes::kContradiction.code, {}, "",
                          fmt::format("{}: {}", host.matrix->source, difference));
  }
}

}  // namespace

/// Each step depends on the previous one: a tree from the matrix if no file has one, places for
/// devices outside the tree, bus ids so that NVLinks can refer to GPUs, CPUs of NUMA nodes, NVLinks
/// from the matrix, and finally the comparison of the matrix with the resulting tree.
void complete(Inventory& host) {
  if (host.matrix && !has_devices(host)) build_tree_of_matrix(host);
  if (host.matrix && !host.unplaced.empty()) place_by_matrix(host);
  if (!host.unplaced.empty()) Placer(host).place();
  give_bus_ids(host);
  give_cpu_lists(host);
  if (host.matrix) {
    add_nvlinks(host);
    compare_with_tree(host);
  }
}

}  // namespace vgsim::topology::inventory
