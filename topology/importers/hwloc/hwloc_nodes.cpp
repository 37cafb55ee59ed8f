#include "topology/importers/hwloc/hwloc_nodes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

#include "topology/importers/hwloc/hwloc_library.hpp"
#include "topology/importers/hwloc/hwloc_values.hpp"
#include "topology/machine/bus_id.hpp"
#include "topology/machine/text.hpp"

namespace vgsim::topology {
namespace {

using inventory::NumaNode;

constexpr std::size_t kLongestText = 255;

/// As NCCL counts, which reads CPUID: from 15 on the family is 15 and an extended one, which it
/// moves left.
std::int64_t nccl_family(std::int64_t family) {
  return family < 15 ? family : 15 + ((family - 15) << 4);
}

/// Objects of a type in their order.
std::vector<hwloc_obj_t> objects_of(hwloc_topology_t topology, hwloc_obj_type_t type) {
  std::vector<hwloc_obj_t> objects;
  hwloc_obj_t object = nullptr;
  while ((object = hwloc_get_next_obj_by_type(topology, type, object)) != nullptr) {
    objects.push_back(object);
  }
  return objects;
}

/// Those of them that are near a NUMA node.
std::vector<hwloc_obj_t> objects_near(hwloc_topology_t topology, hwloc_obj_type_t type,
                                      unsigned node) {
  std::vector<hwloc_obj_t> objects = objects_of(topology, type);
  std::erase_if(objects, [&](hwloc_obj_t object) {
    return object->nodeset == nullptr || hwloc_bitmap_isset(object->nodeset, node) == 0;
  });
  return objects;
}

/// Words of a CPU mask, most significant first, as NCCL and Linux write them.
std::string mask_of(hwloc_const_bitmap_t set) {
  std::string mask;
  for (int word = hwloc_bitmap_last(set) / 32; word >= 0; --word) {
    std::uint32_t bits = 0;
    for (unsigned i = 0; i < 32; ++i) {
      const bool on = hwloc_bitmap_isset(set, static_cast<unsigned>(word) * 32 + i) != 0;
      bits |= static_cast<std::uint32_t>(on) << i;
    }
    mask += fmt::format("{}{:08x}", mask.empty() ? "" : ",", bits);
  }
  return mask;
}

/// Placeholder texts of firmware.
bool is_placeholder(std::string_view text) {
  constexpr std::string_view kPlaceholders[] = {"UNKNOWN", "None", "Default string",
                                                "Not Specified", "To Be Filled By O.E.M."};
  return std::ranges::find(kPlaceholders, text) != std::end(kPlaceholders);
}

}  // namespace

/// NUMA nodes are read first, because PCI devices are assigned by nodeset. Not every NUMA node of
/// hwloc is one of the host: GPU memory (Grace, POWER) and memory without CPUs (CXL) are omitted. A
/// device near several nodes is assigned to a node without a number, one for each such set of
/// nodes.
HwlocNodes::HwlocNodes(hwloc_topology_t topology, bool stated, inventory::Inventory& host,
                       FileNotes& notes)
    : topology_(topology), host_(host), notes_(notes) {
  std::set<std::string> cpus_of_others;
  for (hwloc_obj_t object : objects_of(topology, HWLOC_OBJ_NUMANODE)) {
    const bool of_gpu =
        object->subtype != nullptr && std::string_view(object->subtype) == "GPUMemory";
    const std::string id = normalized_bus_id(hwloc_info_of(object, "PCIBusID"));
    if (of_gpu) {
      notes_.skip("NUMA nodes that are memory of GPUs", std::to_string(object->os_index));
      if (!id.empty()) gpu_memory_[id] = object->os_index;
    } else if (hwloc_bitmap_iszero(object->cpuset) ||
               !cpus_of_others.insert(hwloc_list_of(object->cpuset)).second) {
      notes_.skip("NUMA nodes with memory only, without CPUs", std::to_string(object->os_index));
    } else {
      add(object, stated);
    }
  }
}

void HwlocNodes::add(hwloc_obj_t object, bool stated) {
  NumaNode& node = host_.numa_nodes.emplace_back();
  os_indices_.push_back(object->os_index);
  if (stated) node.id = notes_.stated(static_cast<std::int64_t>(object->os_index));
  const auto memory = static_cast<std::int64_t>(object->attr->numanode.local_memory);
  if (stated && memory > 0) node.memory = notes_.stated(Bytes(memory));
  set_package(object, node);
  set_cpus(object, node);
  set_cores(object, node);
}

/// From the package of the node's CPUs, if they are in one.
void HwlocNodes::set_package(hwloc_obj_t object, NumaNode& node) {
  const std::string_view arch = hwloc_info_of(hwloc_get_root_obj(topology_), "Architecture");
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {{"x86_64", "x86_64"},
                                                                      {"aarch64", "arm64"},
                                                                      {"arm64", "arm64"},
                                                                      {"ppc64le", "ppc64"},
                                                                      {"ppc64", "ppc64"}};
  for (const auto& [name, ours] : kNames) {
    if (arch == name) node.arch = notes_.stated(std::string(ours));
  }
  const auto packages = objects_near(topology_, HWLOC_OBJ_PACKAGE, object->os_index);
  if (packages.empty()) return;
  const hwloc_obj_t package = packages.front();
  if (packages.size() == 1) {
    node.package = notes_.stated(static_cast<std::int64_t>(package->logical_index));
  }
  const std::string vendor = printable(hwloc_info_of(package, "CPUVendor"));
  if (!vendor.empty()) node.vendor = notes_.stated(vendor);
  const std::string name = printable(hwloc_info_of(package, "CPUModel"));
  if (!name.empty()) node.cpu_name = notes_.stated(name);
  const auto family = number_of<std::uint16_t>(hwloc_info_of(package, "CPUFamilyNumber"));
  if (family) node.family = notes_.stated(nccl_family(*family));
  const auto model = number_of<std::uint16_t>(hwloc_info_of(package, "CPUModelNumber"));
  if (model) node.model = notes_.stated(std::int64_t{*model});
}

void HwlocNodes::set_cpus(hwloc_obj_t object, NumaNode& node) {
  std::string list = hwloc_list_of(object->complete_cpuset);
  if (list.size() <= kLongestText) {
    node.cpu_list = notes_.stated(std::move(list));
    return;
  }
  // CPUs with alternating numbers give long lists.
  std::string mask = mask_of(object->complete_cpuset);
  if (mask.size() <= kLongestText) node.affinity = notes_.stated(std::move(mask));
}

void HwlocNodes::set_cores(hwloc_obj_t object, NumaNode& node) {
  const auto cores = objects_near(topology_, HWLOC_OBJ_CORE, object->os_index);
  const auto cpus = objects_near(topology_, HWLOC_OBJ_PU, object->os_index);
  const int all = hwloc_bitmap_weight(object->complete_cpuset);
  if (all >= 0 && cpus.size() == static_cast<std::size_t>(all)) {
    if (!cores.empty()) node.cores = notes_.stated(static_cast<std::int64_t>(cores.size()));
    return;
  }
  notes_.skip("cores of NUMA nodes whose CPUs are not all in the file",
              std::to_string(object->os_index));
}

std::vector<std::size_t> HwlocNodes::near(hwloc_obj_t object) const {
  std::vector<std::size_t> nodes;
  for (std::size_t i = 0; i < os_indices_.size(); ++i) {
    if (object->nodeset != nullptr && hwloc_bitmap_isset(object->nodeset, os_indices_[i]) != 0) {
      nodes.push_back(i);
    }
  }
  return nodes;
}

bool HwlocNodes::has_one_node(hwloc_obj_t object) const { return near(object).size() == 1; }

NumaNode& HwlocNodes::node_of(hwloc_obj_t object) {
  const std::vector<std::size_t> nodes = near(object);
  if (nodes.size() == 1) return host_.numa_nodes[nodes.front()];
  std::string key;
  for (const std::size_t node : nodes) key += fmt::format("{} ", node);
  const auto [known, is_new] = shared_.emplace(key, host_.numa_nodes.size());
  if (is_new) {
    NumaNode shared;
    const auto other_package = [&](std::size_t i) {
      return host_.numa_nodes[i].package != host_.numa_nodes[nodes.front()].package;
    };
    if (!nodes.empty() && std::ranges::none_of(nodes, other_package)) {
      shared.package = host_.numa_nodes[nodes.front()].package;
    }
    host_.numa_nodes.push_back(std::move(shared));
  }
  return host_.numa_nodes[known->second];
}

std::optional<std::int64_t> HwlocNodes::gpu_memory(const std::string& bus_id) const {
  const auto known = gpu_memory_.find(bus_id);
  if (known == gpu_memory_.end()) return std::nullopt;
  return known->second;
}

void read_hwloc_machine(hwloc_topology_t topology, inventory::Inventory& host, FileNotes& notes) {
  const hwloc_obj_t machine = hwloc_get_root_obj(topology);
  const auto tell = [&](inventory::Maybe<std::string>& value,
                        std::initializer_list<const char*> names) {
    for (const char* name : names) {
      const std::string text = printable(hwloc_info_of(machine, name));
      if (!text.empty() && !is_placeholder(text) && !value) value = notes.stated(text);
    }
  };
  tell(host.name, {"HostName"});
  tell(host.vendor, {"DMISysVendor", "DMIChassisVendor", "DMIBoardVendor"});
  tell(host.model, {"DMIProductName", "PlatformModel"});
  const auto count = [&](hwloc_obj_type_t type) {
    return std::int64_t{std::max(hwloc_get_nbobjs_by_type(topology, type), 0)};
  };
  if (const auto packages = count(HWLOC_OBJ_PACKAGE); packages > 0) {
    host.packages = notes.stated(packages);
  }
  const std::int64_t cpus = count(HWLOC_OBJ_PU);
  if (cpus == 0 || cpus != hwloc_bitmap_weight(machine->complete_cpuset)) return;
  host.threads = notes.stated(cpus);
  if (const auto cores = count(HWLOC_OBJ_CORE); cores > 0) host.cores = notes.stated(cores);
}

}  // namespace vgsim::topology
