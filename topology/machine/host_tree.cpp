#include "topology/machine/host_tree.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "topology/catalog/part_names.hpp"
#include "topology/graph/pcie_speed.hpp"
#include "topology/machine/bus_id.hpp"
#include "topology/machine/device_facts.hpp"
#include "topology/machine/host_models.hpp"
#include "topology/machine/import_codes.hpp"
#include "topology/machine/pci_class.hpp"
#include "topology/machine/text.hpp"

namespace vgsim::topology::inventory {
namespace {

using Role = PlannedDevice::Role;

/// Generation of a Broadcom switch whose two levels NCCL merges (src/graph/topo.cc,
/// ncclTopoFlattenBcmSwitches); 0 for all others. `level` is 0 for the upper, 1 for the lower.
int merged_switch_generation(const Device& device, int level) {
  const auto is = [](const Maybe<std::string>& id, std::string_view wanted) {
    return id && id->value == wanted;
  };
  if (!is(device.vendor, "1000") || !is(device.subsystem_vendor, "1000") ||
      !device.subsystem_device) {
    return 0;
  }
  const std::string& id = device.subsystem_device->value;
  const char subsystem = id.size() == 4 ? id.front() : '0';
  if (is(device.device, "c010") && subsystem == 'a') return 4;
  if (is(device.device, "c030") && subsystem == (level == 0 ? '0' : '1')) return 5;
  return 0;
}

/// Bridges that hypervisors emulate: VMware, Red Hat (QEMU), and the chips that QEMU's xio3130 and
/// ioh3420 emulate. Their link speed is a constant.
bool is_emulated_bridge(const Device& bridge) {
  const std::string id = pci_id_of(bridge);
  return id.starts_with("15ad:") || id.starts_with("1b36:") || id == "104c:8232" ||
         id == "104c:8233" || id == "8086:3420";
}

/// Determines role and link of every PCI device before anything is built, so that an error does not
/// leave a partial host. Link speeds in dumps are unreliable: emulated bridges have constants, idle
/// GPUs low values, some are missing. They are replaced as in NCCL where it has a rule; each
/// replacement is listed as an assumption.
class Planner {
 public:
  explicit Planner(HostBuild& build) : build_(build) {}

  void plan(const Device& device, PlannedTree& tree) {
    const std::optional<Role> role = role_of(device);
    if (role == Role::kSwitch) return plan_switch(device, tree);
    if (role == Role::kGpu) tree.push_back(plan_gpu(device));
    if (role == Role::kNic) tree.push_back(plan_nic(device));
    if (!device.below.empty()) {
      build_.assumptions.add("devices below a GPU or NIC are taken as its siblings", device.bus_id);
    }
    for (const Device& child : device.below) plan(child, tree);
  }

 private:
  /// Nothing for devices that are not modelled.
  std::optional<Role> role_of(const Device& device) {
    const std::string device_class = pci_class_of(device);
    if (build_.completion.gpus.contains(device.bus_id) && !is_nic_class(device_class)) {
      return Role::kGpu;
    }
    if (device.gpu) return Role::kGpu;
    if (!device.ports.empty() || is_nic_class(device_class)) return Role::kNic;
    if (is_gpu_class(device_class)) {
      build_.assumptions.add("GPUs inferred from their PCI class, without <gpu>", device.bus_id);
      return Role::kGpu;
    }
    if (build_.completion.nics.contains(device.bus_id)) return Role::kNic;
    if (is_bridge_class(device_class) || !device.below.empty()) return Role::kSwitch;
    if (device_class.empty()) {
      report_unknown(device);
    } else if (!is_nvswitch_class(device_class)) {
      build_.diagnostics.warning(
          import_codes::kDeviceIgnored.code, build_.at(device.place), "",
          fmt::format("{} of class 0x{} is not modelled", device.bus_id, device_class));
    }
    return std::nullopt;
  }

  void report_unknown(const Device& device) {
    build_.diagnostics.error(
        import_codes::kUnknownDevice.code, build_.at(device.place), "",
        fmt::format("the file does not contain the kind of {}", device.bus_id),
        fmt::format(
            "a \"class\" here or, in the scenario, \"devices\": {{\"{}\": {{\"gpu\": ...}}}} "
            "or {{\"nic\": ...}}, with a name of the catalogue",
            device.bus_id));
  }

  PlannedDevice plan_gpu(const Device& device) {
    const GpuModel* model = find_gpu_model(device, build_);
    PcieWidth own;
    if (model != nullptr) own = {model->pcie_generation, model->pcie_lanes};
    PcieWidth width = device_width(device, model != nullptr ? &own : nullptr);
    if (width.generation == 1 && own.generation > 1 && model != nullptr) {
      // NCCL 2.30 and later write the current generation, which is 1 on an idle GPU.
      width.generation = own.generation;
      build_.assumptions.add(
          fmt::format("GPUs at PCIe Gen1 are idle; taken as Gen{}", own.generation), device.bus_id);
    }
    return {Role::kGpu, &device, catalogued(device, width), model, nullptr, {}};
  }

  PlannedDevice plan_nic(const Device& device) {
    const NicModel* model = find_nic_model(device, build_);
    PcieWidth own;
    if (model != nullptr) own = {model->pcie_generation, model->pcie_lanes};
    PcieWidth width = device_width(device, model != nullptr ? &own : nullptr);
    if (model != nullptr) width = width.meet(own);
    return {Role::kNic, &device, catalogued(device, width), nullptr, model, {}};
  }

  void plan_switch(const Device& device, PlannedTree& tree) {
    PlannedDevice planned{Role::kSwitch, &device, {}, nullptr, nullptr, {}};
    const int merged = merged_switch_generation(device, 0);
    for (const Device& child : device.below) {
      if (merged == 0 || merged_switch_generation(child, 1) != merged) {
        plan(child, planned.below);
        continue;
      }
      build_.assumptions.add(
          "Broadcom PCIe switches that show two levels are one switch, as for NCCL", child.bus_id);
      for (const Device& grandchild : child.below) plan(grandchild, planned.below);
    }
    if (planned.below.empty()) return;
    planned.width = catalogued(device, switch_width(planned));
    tree.push_back(std::move(planned));
  }

  /// The link as in the file; `own` is the capability of the card, null if unknown.
  PcieWidth device_width(const Device& device, const PcieWidth* own) {
    PcieWidth width;
    const auto [speed, lanes] = link_text_of(device);
    const std::string unknown = speed.empty()
                                    ? "PCIe link speed not given"
                                    : fmt::format("PCIe link speed \"{}\" unknown", speed);
    if (const auto generation = pcie_generation_of(speed)) {
      width.generation = *generation;
    } else if (own != nullptr) {
      width.generation = own->generation;
      build_.assumptions.add(
          fmt::format("{}; taken as Gen{}, the card's own", unknown, own->generation),
          device.bus_id);
    } else {
      build_.assumptions.add(unknown + "; taken as Gen3, as NCCL does", device.bus_id);
    }
    if (lanes > 0) {
      width.lanes = lanes;
    } else {
      build_.assumptions.add("PCIe link width unknown; taken as x16, as NCCL does", device.bus_id);
    }
    return width;
  }

  PcieWidth switch_width(const PlannedDevice& planned) {
    PcieWidth fastest = planned.below.front().width;
    for (const PlannedDevice& child : planned.below) {
      if (pcie_transfer_rate(child.width) > pcie_transfer_rate(fastest)) fastest = child.width;
    }
    const auto [speed, lanes] = link_text_of(*planned.from);
    const auto generation = pcie_generation_of(speed);
    const PcieWidth own{generation.value_or(1), lanes > 0 ? lanes : 16};
    const bool is_real = generation.value_or(1) >= 3 && !is_emulated_bridge(*planned.from);
    if (is_real || (generation && pcie_transfer_rate(own) >= pcie_transfer_rate(fastest))) {
      return own;
    }
    build_.assumptions.add(
        generation ? "bridges slower than the devices below them are emulated, and assumed as fast "
                     "as these"
                   : "bridges of unknown speed are assumed as fast as the devices below them",
        planned.from->bus_id);
    return fastest;
  }

  PcieWidth catalogued(const Device& device, PcieWidth width) {
    const std::int64_t nearest = build_.catalog.nearest_pcie_generation(width.generation);
    if (nearest != width.generation) {
      build_.assumptions.add(
          fmt::format("PCIe Gen{} is not catalogued; taken as Gen{}", width.generation, nearest),
          device.bus_id);
    }
    return {nearest, width.lanes};
  }

  HostBuild& build_;
};

/// Key of the root complex of a top-level device: the stated one, or the card of a function; empty
/// for others.
std::string root_of(const Device& device, const PlannedTree& tree) {
  if (device.root_complex && !device.root_complex->value.empty()) return device.root_complex->value;
  return tree.front().role == Role::kNic ? std::string(card_of(device.bus_id)) : std::string();
}

}  // namespace

std::vector<PlannedTree> plan_devices(const std::vector<const NumaNode*>& nodes, HostBuild& build) {
  std::vector<PlannedTree> trees;
  std::map<std::string, std::size_t> stated;  // by root complex
  Planner planner(build);
  for (const NumaNode* node : nodes) {
    for (const Device& device : node->devices) {
      PlannedTree tree;
      planner.plan(device, tree);
      if (tree.empty()) continue;
      const std::string root = root_of(device, tree);
      const auto known = root.empty() ? stated.end() : stated.find(root);
      if (known != stated.end()) {
        std::move(tree.begin(), tree.end(), std::back_inserter(trees[known->second]));
        continue;
      }
      if (!root.empty()) stated.emplace(root, trees.size());
      trees.push_back(std::move(tree));
    }
  }
  return trees;
}

void collect_devices(const PlannedTree& tree, PlannedDevice::Role role,
                     std::vector<const PlannedDevice*>& found) {
  for (const PlannedDevice& device : tree) {
    if (device.role == role) found.push_back(&device);
    collect_devices(device.below, role, found);
  }
}

std::string unknown_gpu_names(const std::vector<const PlannedDevice*>& gpus,
                              const Catalog& catalog) {
  std::vector<std::string> names;
  for (const PlannedDevice* gpu : gpus) {
    if (gpu->gpu != nullptr || !gpu->from->name) continue;
    std::string text = unknown_gpu_text(catalog, gpu->from->name->value);
    if (std::ranges::find(names, text) == names.end()) names.push_back(std::move(text));
  }
  return names.empty() ? std::string() : ", " + few_of(names);
}

}  // namespace vgsim::topology::inventory
