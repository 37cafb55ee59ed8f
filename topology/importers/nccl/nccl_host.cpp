#include "topology/importers/nccl/nccl_host.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "topology/importers/nccl/nccl_board.hpp"
#include "topology/importers/nccl/nccl_error_codes.hpp"
#include "topology/importers/nccl/nccl_import.hpp"
#include "topology/importers/nccl/nccl_nics.hpp"
#include "topology/importers/nccl/nccl_nvlinks.hpp"
#include "topology/importers/nccl/nccl_plan.hpp"
#include "topology/importers/nccl/nccl_sockets.hpp"
#include "topology/input/suggest.hpp"
#include "topology/inventory/bus_id.hpp"
#include "topology/nvlink_layout.hpp"

namespace vgsim::topology {
namespace {

/// All that the file and its completion say, checked, before anything is built.
struct HostPlan {
  PlannedSockets sockets;
  std::vector<std::vector<PlannedTree>> trees;  ///< by NUMA node, as sockets.nodes
  std::vector<const PlannedDevice*> gpus;       ///< in the order of their numbers
  std::vector<PlannedNic> nics;
  PlannedNvLinks nvlinks;
  BoardNvLinks board;
};

NcclCompletion normalized(NcclCompletion completion) {
  const auto rename = [](auto& table) {
    auto old = std::exchange(table, {});
    for (const auto& [text, model] : old) {
      const std::string id = normalized_bus_id(text);
      table.emplace(id.empty() ? text : id, model);
    }
  };
  rename(completion.gpus);
  rename(completion.nics);
  return completion;
}

void collect_bus_ids(const std::vector<NcclPci>& pcis, std::vector<std::string>& ids) {
  for (const NcclPci& pci : pcis) {
    ids.push_back(pci.busid);
    collect_bus_ids(pci.children, ids);
  }
}

void check_completion(const HostPlan& plan, NcclImport& import) {
  std::vector<std::string> ids;
  for (const NcclCpu& cpu : import.system.cpus) collect_bus_ids(cpu.pcis, ids);
  std::set<std::string> gpus;
  std::set<std::string> nics;
  for (const PlannedDevice* gpu : plan.gpus) gpus.insert(gpu->pci->busid);
  for (const PlannedNic& nic : plan.nics) {
    if (nic.device != nullptr) nics.insert(nic.device->pci->busid);
  }
  const auto check = [&](const auto& table, const std::set<std::string>& present,
                         const char* kind) {
    for (const auto& [id, model] : table) {
      if (present.contains(id)) continue;
      const bool listed = std::ranges::find(ids, id) != ids.end();
      import.diagnostics.error(
          nccl_codes::kBadCompletion.code, import.at(0), "",
          listed
              ? fmt::format("the scenario says that {} is a {}, the file that it is not", id, kind)
              : fmt::format("the scenario says what {} is, but the file has no such device", id),
          {}, listed ? std::vector<std::string>() : input::suggest(id, ids));
    }
  };
  check(import.completion.gpus, gpus, "GPU");
  check(import.completion.nics, nics, "NIC");
}

bool is_one_host(NcclImport& import) {
  std::set<std::string> hosts;
  for (const NcclCpu& cpu : import.system.cpus) hosts.insert(cpu.host_hash);
  if (hosts.size() <= 1) return true;
  import.diagnostics.error(
      nccl_codes::kSeveralHosts.code, import.at(0), "",
      fmt::format("the file describes {} hosts; only one can be imported", hosts.size()),
      "the same host_hash in all <cpu>");
  return false;
}

std::int64_t number_of(const NcclPci& pci) {
  return pci.gpu && pci.gpu->dev ? *pci.gpu->dev : std::numeric_limits<std::int64_t>::max();
}

/// As NVML numbers them.
void order_gpus(std::vector<const PlannedDevice*>& gpus, DeviceSentences& assumptions) {
  std::ranges::sort(gpus, [](const PlannedDevice* a, const PlannedDevice* b) {
    const std::int64_t number_a = number_of(*a->pci);
    const std::int64_t number_b = number_of(*b->pci);
    return number_a != number_b ? number_a < number_b : bus_id_less(a->pci->busid, b->pci->busid);
  });
  const bool unnumbered =
      !gpus.empty() && number_of(*gpus.back()->pci) == std::numeric_limits<std::int64_t>::max();
  if (unnumbered) assumptions.add("GPUs without a number in the file are in the order of bus ids");
}

void note_shared_bus_ids(const HostPlan& plan, DeviceSentences& assumptions) {
  std::set<std::string> seen;
  const auto note = [&](const std::string& busid) {
    if (seen.insert(busid).second) return;
    assumptions.add(
        "bus ids that are listed more than once; each entry is taken as a device of "
        "its own, where the file puts it",
        busid);
  };
  for (const PlannedDevice* gpu : plan.gpus) note(gpu->pci->busid);
  for (const PlannedNic& nic : plan.nics) {
    if (nic.device != nullptr) note(nic.device->pci->busid);
  }
}

void plan_joins(HostPlan& plan, NcclImport& import) {
  if (import.completion.nvlink) {
    return check_nvlink_layout(*import.completion.nvlink, plan.gpus, import);
  }
  plan.nvlinks = plan_nvlinks(plan.gpus, import);
  if (!plan.gpus.empty() && plan.sockets.cpu != nullptr) {
    plan.board = board_nvlinks(plan.gpus, *plan.sockets.cpu, plan.nvlinks, import);
  }
  if (!plan.board.open.empty()) return;
  const bool may_have_nvlink = std::ranges::any_of(plan.gpus, [](const PlannedDevice* gpu) {
    return gpu->gpu == nullptr || !gpu->gpu->nvlink.empty();
  });
  if (plan.nvlinks.between.empty() && plan.nvlinks.to_switch.empty() && may_have_nvlink &&
      plan.gpus.size() > 1) {
    import.assumptions.add(
        "the file lists no NVLinks between its GPUs; give \"nvlink\" in the scenario to add them");
  }
}

bool tells_root_complexes(const NcclSystem& system) {
  return std::ranges::all_of(system.cpus, [](const NcclCpu& cpu) {
    return std::ranges::all_of(cpu.pcis,
                               [](const NcclPci& pci) { return !pci.root_complex.empty(); });
  });
}

/// Everything is planned and checked before the first device is added: sockets, then trees, GPUs
/// and NICs in them, then NVLinks, which name GPUs by bus id, then the scenario's completions,
/// which must name devices that are there.
HostPlan make_plan(NcclImport& import) {
  HostPlan plan;
  plan.sockets = plan_sockets(import);
  std::vector<const PlannedDevice*> nics;
  std::vector<NicWithoutPcie> nics_without_pcie;
  std::size_t roots = 0;
  plan.trees.reserve(plan.sockets.nodes.size());
  for (const auto& cpus : plan.sockets.nodes) {
    const auto& trees = plan.trees.emplace_back(plan_devices(cpus, import));
    roots += trees.size();
    for (const PlannedTree& tree : trees) {
      collect_devices(tree, PlannedDevice::Role::kGpu, plan.gpus);
      collect_devices(tree, PlannedDevice::Role::kNic, nics);
    }
    for (const NcclCpu* cpu : cpus) {
      for (const NcclNic& nic : cpu->nics) {
        nics_without_pcie.push_back({&nic, plan.trees.size() - 1});
      }
    }
  }
  if (roots > 0 && !tells_root_complexes(import.system)) {
    import.assumptions.add(
        "the file does not tell root complexes; each top-level PCI device is "
        "taken as on one of its own");
  }
  order_gpus(plan.gpus, import.assumptions);
  plan.nics = plan_nics(nics, nics_without_pcie, import);
  note_shared_bus_ids(plan, import.assumptions);
  plan_joins(plan, import);
  check_completion(plan, import);
  return plan;
}

/// Adds the switches of a tree; notes for each device what it hangs on.
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

/// The PCI functions of one card share its link.
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
    const std::string& id = nic.nic.bus_id = nic.device->pci->busid;
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

void build(const HostPlan& plan, const NcclImport& import, DeviceBuilder& devices) {
  const std::string source = import.source();
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
  const auto& layout = import.completion.nvlink ? import.completion.nvlink : plan.board.layout;
  if (layout) {
    const GpuModel* model = plan.gpus.front()->gpu;
    if (model != nullptr) apply_nvlink_layout(devices, *layout, *model);
  } else {
    build_nvlinks(plan.nvlinks, plan.gpus, devices);
  }
}

}  // namespace

void build_nccl_host(const NcclSystem& system, const NcclCompletion& completion,
                     DeviceBuilder& devices, input::Diagnostics& diagnostics) {
  const NcclCompletion normal = normalized(completion);
  NcclImport import{system, normal, devices.catalog(), {}, {}};
  import.diagnostics.append(system.warnings);
  if (import.catalog.pcie.empty()) {
    import.diagnostics.error(nccl_codes::kCatalogueGap.code, {}, "",
                             "the catalogue has no PCIe generation");
  } else if (is_one_host(import)) {
    const HostPlan plan = make_plan(import);
    if (plan.gpus.empty() && !import.diagnostics.has_errors()) {
      import.diagnostics.error(nccl_codes::kNoGpu.code, import.at(0), "",
                               "the file has no GPU: no <gpu>, no PCI class 0x0302 or 0x0300");
    }
    if (!import.diagnostics.has_errors()) {
      build(plan, import, devices);
      std::vector<std::string> assumed;
      import.assumptions.tell(assumed, std::string::npos);
      for (std::string& sentence : assumed) devices.assume(std::move(sentence));
      devices.host().open = plan.board.open;
      devices.host().taken = import.taken;
    }
  }
  diagnostics.append(import.diagnostics);
}

}  // namespace vgsim::topology
