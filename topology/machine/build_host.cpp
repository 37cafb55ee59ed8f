#include "topology/machine/build_host.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "topology/input/suggest.hpp"
#include "topology/machine/bus_id.hpp"
#include "topology/machine/device_names.hpp"
#include "topology/machine/host_board.hpp"
#include "topology/machine/host_build.hpp"
#include "topology/machine/host_completion.hpp"
#include "topology/machine/host_nics.hpp"
#include "topology/machine/host_nvlinks.hpp"
#include "topology/machine/host_sockets.hpp"
#include "topology/machine/host_tree.hpp"
#include "topology/machine/import_codes.hpp"
#include "topology/nvlink_layout.hpp"

namespace vgsim::topology::inventory {
namespace {

/// The checked plan of the host, from the inventory and its completion.
struct HostPlan {
  PlannedSockets sockets;
  std::vector<std::vector<PlannedTree>> trees;  ///< by NUMA node, in the order of sockets.nodes
  std::vector<const PlannedDevice*> gpus;       ///< in the order of their numbers
  std::vector<PlannedNic> nics;
  PlannedNvLinks nvlinks;
  BoardNvLinks board;
};

void check_completion(const HostPlan& plan, HostBuild& build) {
  std::vector<std::string> ids;
  for_each_device(build.inventory, [&](const Device& device) {
    if (!device.bus_id.empty()) ids.push_back(device.bus_id);
  });
  std::set<std::string> gpus;
  std::set<std::string> nics;
  for (const PlannedDevice* gpu : plan.gpus) gpus.insert(gpu->from->bus_id);
  for (const PlannedNic& nic : plan.nics) {
    if (nic.device != nullptr) nics.insert(nic.device->from->bus_id);
  }
  const auto check = [&](const auto& table, const std::set<std::string>& present,
                         const char* kind) {
    for (const auto& [id, model] : table) {
      if (present.contains(id)) continue;
      const bool listed = std::ranges::find(ids, id) != ids.end();
      build.diagnostics.error(
          import_codes::kBadCompletion.code, build.at(), "",
          listed ? fmt::format("{} is a {} in the scenario, but not in the file", id, kind)
                 : fmt::format("the scenario describes {}, but the file has no such device", id),
          {}, listed ? std::vector<std::string>() : input::suggest(id, ids));
    }
  };
  check(build.completion.gpus, gpus, "GPU");
  check(build.completion.nics, nics, "NIC");
}

bool is_one_host(HostBuild& build) {
  std::set<std::string> hosts;
  for (const NumaNode& node : build.inventory.numa_nodes) {
    hosts.insert(node.host_hash ? node.host_hash->value : std::string());
  }
  if (hosts.size() <= 1) return true;
  build.diagnostics.error(
      import_codes::kSeveralHosts.code, build.at(), "",
      fmt::format("the file describes {} hosts; only one can be imported", hosts.size()),
      "the same host_hash in all <cpu>");
  return false;
}

std::int64_t number_of(const Device& gpu) {
  return gpu.gpu && gpu.gpu->index ? gpu.gpu->index->value
                                   : std::numeric_limits<std::int64_t>::max();
}

/// Orders GPUs as NVML does.
void order_gpus(std::vector<const PlannedDevice*>& gpus, DeviceSentences& assumptions) {
  std::ranges::sort(gpus, [](const PlannedDevice* a, const PlannedDevice* b) {
    const std::int64_t number_a = number_of(*a->from);
    const std::int64_t number_b = number_of(*b->from);
    return number_a != number_b ? number_a < number_b
                                : bus_id_less(a->from->bus_id, b->from->bus_id);
  });
  const bool unnumbered =
      !gpus.empty() && number_of(*gpus.back()->from) == std::numeric_limits<std::int64_t>::max();
  if (unnumbered) assumptions.add("GPUs without a number in the file are in the order of bus ids");
}

void note_shared_bus_ids(const HostPlan& plan, DeviceSentences& assumptions) {
  std::set<std::string> seen;
  const auto note = [&](const std::string& bus_id) {
    if (seen.insert(bus_id).second) return;
    assumptions.add(
        "bus ids that are listed more than once; each entry is taken as a separate device at its "
        "place in the file",
        bus_id);
  };
  for (const PlannedDevice* gpu : plan.gpus) note(gpu->from->bus_id);
  for (const PlannedNic& nic : plan.nics) {
    if (nic.device != nullptr) note(nic.device->from->bus_id);
  }
}

void plan_joins(HostPlan& plan, HostBuild& build) {
  if (build.completion.nvlink) {
    return check_nvlink_layout(*build.completion.nvlink, plan.gpus, build);
  }
  plan.nvlinks = plan_nvlinks(plan.gpus, build);
  if (!plan.gpus.empty() && plan.sockets.cpu != nullptr) {
    plan.board = board_nvlinks(plan.gpus, *plan.sockets.cpu, plan.nvlinks, build);
  }
  if (!plan.board.open.empty()) return;
  const bool may_have_nvlink = std::ranges::any_of(plan.gpus, [](const PlannedDevice* gpu) {
    return gpu->gpu == nullptr || !gpu->gpu->nvlink.empty();
  });
  if (plan.nvlinks.between.empty() && plan.nvlinks.to_switch.empty() && may_have_nvlink &&
      plan.gpus.size() > 1) {
    build.assumptions.add(
        "the file lists no NVLinks between its GPUs; add \"nvlink\" to the scenario");
  }
}

bool tells_root_complexes(const Inventory& host) {
  return std::ranges::all_of(host.numa_nodes, [](const NumaNode& node) {
    return std::ranges::all_of(node.devices, [](const Device& device) {
      return device.root_complex && !device.root_complex->value.empty();
    });
  });
}

/// Plans and checks everything before the first device is added: sockets, then trees, GPUs and NICs
/// in them, then NVLinks, which refer to GPUs by bus id, then the completions of the scenario.
HostPlan make_plan(HostBuild& build) {
  HostPlan plan;
  plan.sockets = plan_sockets(build);
  std::vector<const PlannedDevice*> nics;
  std::vector<NicWithoutPcie> nics_without_pcie;
  std::size_t roots = 0;
  plan.trees.reserve(plan.sockets.nodes.size());
  for (const auto& nodes : plan.sockets.nodes) {
    const auto& trees = plan.trees.emplace_back(plan_devices(nodes, build));
    roots += trees.size();
    for (const PlannedTree& tree : trees) {
      collect_devices(tree, PlannedDevice::Role::kGpu, plan.gpus);
      collect_devices(tree, PlannedDevice::Role::kNic, nics);
    }
    for (const NumaNode* node : nodes) {
      for (const Device& nic : node->without_pcie) {
        nics_without_pcie.push_back({&nic, plan.trees.size() - 1});
      }
    }
  }
  if (roots > 0 && !tells_root_complexes(build.inventory)) {
    build.assumptions.add(
        "the file does not state root complexes; each top-level PCI device is "
        "taken as on a separate one");
  }
  order_gpus(plan.gpus, build.assumptions);
  plan.nics = plan_nics(nics, nics_without_pcie, build);
  note_shared_bus_ids(plan, build.assumptions);
  plan_joins(plan, build);
  check_completion(plan, build);
  return plan;
}

/// Adds the switches of a tree and records the parent of each device.
void build_switches(const PlannedTree& tree, Vertex parent, DeviceBuilder& devices,
                    const std::string& source, std::map<const PlannedDevice*, Vertex>& parents,
                    std::size_t& switches) {
  for (const PlannedDevice& device : tree) {
    parents[&device] = parent;
    if (device.role != PlannedDevice::Role::kSwitch) continue;
    const Vertex vertex = devices.add_pcie_switch(parent, fmt::format("pcie-switch{}", switches++),
                                                  device.width, source);
    build_switches(device.below, vertex, devices, source, parents, switches);
  }
}

/// Adds the NICs. The PCI functions of one card share its link.
void build_nics(const HostPlan& plan, const std::vector<Vertex>& sockets,
                const std::map<const PlannedDevice*, Vertex>& parents, const std::string& source,
                DeviceBuilder& devices) {
  struct Card {
    std::set<std::string> functions;
    Vertex first{};
  };
  std::map<std::pair<Vertex, std::string>, Card> cards;
  for (PlannedNic nic : plan.nics) {
    if (nic.device == nullptr) {
      devices.add_nic_without_pcie(sockets[nic.numa_node], nic.nic);
      continue;
    }
    const std::string& id = nic.nic.bus_id = nic.device->from->bus_id;
    const Vertex parent = parents.at(nic.device);
    auto& [functions, first] = cards[{parent, std::string(card_of(id))}];
    const bool is_port = !functions.empty() && functions.insert(id).second;
    if (is_port) {
      devices.add_port(first, nic.nic, nic.model);
      continue;
    }
    const Vertex vertex = devices.add_nic(parent, nic.nic, nic.model, nic.device->width, source);
    if (functions.insert(id).second) first = vertex;
  }
}

void add_devices(const HostPlan& plan, const HostBuild& build, DeviceBuilder& devices) {
  const std::string source = build.source();
  const std::int64_t per_socket = plan.sockets.nodes_per_socket;
  std::vector<Vertex> sockets;
  for (std::size_t i = 0; i < plan.sockets.nodes.size(); ++i) {
    sockets.push_back(devices.add_socket(*plan.sockets.cpu, per_socket));
  }
  devices.join_sockets(*plan.sockets.cpu, per_socket);
  std::map<const PlannedDevice*, Vertex> parents;
  std::size_t roots = 0;
  std::size_t switches = 0;
  for (std::size_t i = 0; i < sockets.size(); ++i) {
    for (const PlannedTree& tree : plan.trees[i]) {
      const Vertex root = devices.add_root_complex(sockets[i], fmt::format("rc{}", roots++));
      build_switches(tree, root, devices, source, parents, switches);
    }
  }
  for (const PlannedDevice* gpu : plan.gpus) {
    devices.add_gpu(parents.at(gpu), gpu->gpu, gpu->width, source);
  }
  build_nics(plan, sockets, parents, source, devices);
  const auto& layout = build.completion.nvlink ? build.completion.nvlink : plan.board.layout;
  if (layout) {
    const GpuModel* model = plan.gpus.front()->gpu;
    if (model != nullptr) apply_nvlink_layout(devices, *layout, *model);
  } else {
    build_nvlinks(plan.nvlinks, plan.gpus, devices);
  }
}

/// Sets cores and memory of a NUMA node to the smallest stated value, and the totals of the host.
void count_numa_nodes(const Inventory& from, topology::Host& host) {
  const auto nodes = static_cast<std::int64_t>(host.sockets.size());
  if (nodes == 0) return;
  if (from.cores) host.numa_cores = from.cores->value / nodes;
  if (from.memory) host.numa_memory = Bytes{from.memory->value.count() / nodes};
  const auto all_tell = [&](const auto& stated) {
    return !from.numa_nodes.empty() && std::ranges::all_of(from.numa_nodes, stated);
  };
  if (all_tell([](const NumaNode& node) { return node.cores && node.cores->value > 0; })) {
    host.numa_cores = std::ranges::min_element(from.numa_nodes, {}, [](const NumaNode& node) {
                        return node.cores->value;
                      })->cores->value;
    host.all_cores = 0;
    for (const NumaNode& node : from.numa_nodes) *host.all_cores += node.cores->value;
  }
  if (all_tell([](const NumaNode& node) { return node.memory && node.memory->value > Bytes{0}; })) {
    host.numa_memory = std::ranges::min_element(from.numa_nodes, {}, [](const NumaNode& node) {
                         return node.memory->value;
                       })->memory->value;
    host.all_memory = Bytes{0};
    for (const NumaNode& node : from.numa_nodes) *host.all_memory += node.memory->value;
  }
  if (from.cores) host.all_cores = from.cores->value;
  if (from.memory)
    host.all_memory = std::max(from.memory->value, host.all_memory.value_or(Bytes{0}));
  if (host.numa_cores == 0) host.numa_cores.reset();
}

/// Builds the host if the plan has no errors.
void build_planned(HostBuild& build, DeviceBuilder& devices) {
  if (build.catalog.pcie.empty()) {
    return build.diagnostics.error(import_codes::kCatalogueGap.code, {}, "",
                                   "the catalogue has no PCIe generation");
  }
  if (!is_one_host(build)) return;
  const HostPlan plan = make_plan(build);
  if (build.diagnostics.has_errors()) return;
  if (plan.gpus.empty()) {
    return build.diagnostics.error(import_codes::kNoGpu.code, build.at(), "",
                                   "the file has no GPU: no <gpu>, no PCI class 0x0302 or 0x0300");
  }
  add_devices(plan, build, devices);
  std::vector<std::string> assumed;
  build.assumptions.tell(assumed, std::string::npos);
  for (std::string& sentence : assumed) devices.assume(std::move(sentence));
  devices.host().open = plan.board.open;
  devices.host().taken = build.taken;
  count_numa_nodes(build.inventory, devices.host());
}

}  // namespace

void build_inventory_host(const Inventory& host, HostCompletion completion, const HostFile& file,
                          DeviceBuilder& devices, input::Diagnostics& diagnostics) {
  input::Diagnostics found;
  completion = completed(std::move(completion), host, file, devices.catalog(), found);
  if (!found.has_errors()) {
    HostBuild build{host, completion, devices.catalog(), file};
    build_planned(build, devices);
    found.append(build.diagnostics);
  }
  diagnostics.append(found);
}

std::vector<OpenPoint> open_points(const Inventory& host, const Catalog& catalog) {
  Topology topology;
  DeviceBuilder devices(topology, catalog, "host");
  input::Diagnostics problems;
  const auto source = std::make_shared<const input::SourceFile>(input::SourceFile{"import", {}});
  build_inventory_host(host, {}, {source}, devices, problems);
  if (!problems.has_errors()) return devices.host().open;
  if (gpus_in_order(host).empty()) return {};  // reported with the list of devices
  for (const input::Diagnostic& each : problems.items()) {
    if (each.severity == input::Severity::error) return {{each.message, OpenPoint::Kind::kNeeded}};
  }
  return {};
}

}  // namespace vgsim::topology::inventory
