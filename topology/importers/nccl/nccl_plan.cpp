#include "topology/importers/nccl/nccl_plan.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "topology/graph/pcie_speed.hpp"
#include "topology/importers/nccl/nccl_error_codes.hpp"
#include "topology/importers/nccl/nccl_models.hpp"
#include "topology/inventory/bus_id.hpp"
#include "topology/inventory/pci_class.hpp"

namespace vgsim::topology {
namespace {

using Role = PlannedDevice::Role;

/// Generation of Broadcom's switch whose two levels NCCL merges (src/graph/topo.cc,
/// ncclTopoFlattenBcmSwitches); 0 for all others. `level` is 0 for the upper, 1 for the lower.
int merged_switch_generation(const NcclPci& pci, int level) {
  if (pci.vendor != "1000" || pci.subsystem_vendor != "1000" || pci.subsystem_device.empty()) {
    return 0;
  }
  const char subsystem = pci.subsystem_device.size() == 4 ? pci.subsystem_device.front() : '0';
  if (pci.device == "c010" && subsystem == 'a') return 4;
  if (pci.device == "c030" && subsystem == (level == 0 ? '0' : '1')) return 5;
  return 0;
}

/// Bridges that hypervisors show to guests: VMware, Red Hat (QEMU), and the chips that QEMU's
/// xio3130 and ioh3420 copy. Their link speed is a constant of the emulation.
bool is_emulated_bridge(const NcclPci& pci) {
  const std::string id = pci_id(pci);
  return id.starts_with("15ad:") || id.starts_with("1b36:") || id == "104c:8232" ||
         id == "104c:8233" || id == "8086:3420";
}

/// Gives every PCI device of the file a role and a link before anything is built, so that an error
/// leaves no half of a host. The file tells less than it seems: link speeds of emulated bridges are
/// constants, those of idle GPUs are too low, some are missing. What is put in their place is
/// NCCL's own choice where it has one, and each choice is told.
class Planner {
 public:
  explicit Planner(NcclImport& import) : import_(import) {}

  void plan(const NcclPci& pci, PlannedTree& tree) {
    const std::optional<Role> role = role_of(pci);
    if (role == Role::kSwitch) return plan_switch(pci, tree);
    if (role == Role::kGpu) tree.push_back(plan_gpu(pci));
    if (role == Role::kNic) tree.push_back(plan_nic(pci));
    if (!pci.children.empty()) {
      import_.assumptions.add("devices below a GPU or NIC are taken as beside it", pci.busid);
    }
    for (const NcclPci& child : pci.children) plan(child, tree);
  }

 private:
  /// Empty for what has no place in the host.
  std::optional<Role> role_of(const NcclPci& pci) {
    const std::string& device_class = pci.device_class;
    if (import_.completion.gpus.contains(pci.busid) && !is_nic_class(device_class)) {
      return Role::kGpu;
    }
    if (pci.gpu) return Role::kGpu;
    if (!pci.nets.empty() || is_nic_class(device_class)) return Role::kNic;
    if (is_gpu_class(device_class)) {
      import_.assumptions.add("GPUs inferred from their PCI class, without <gpu>", pci.busid);
      return Role::kGpu;
    }
    if (import_.completion.nics.contains(pci.busid)) return Role::kNic;
    if (is_bridge_class(device_class) || !pci.children.empty()) return Role::kSwitch;
    if (device_class.empty()) {
      report_unknown(pci);
    } else if (!is_nvswitch_class(device_class)) {
      import_.diagnostics.warning(
          nccl_codes::kDeviceIgnored.code, import_.at(pci.offset), "",
          fmt::format("{} of class 0x{} is not modelled", pci.busid, device_class));
    }
    return std::nullopt;
  }

  void report_unknown(const NcclPci& pci) {
    import_.diagnostics.error(
        nccl_codes::kUnknownDevice.code, import_.at(pci.offset), "",
        fmt::format("the file does not say what {} is", pci.busid),
        fmt::format(
            "a \"class\" here or, in the scenario, \"devices\": {{\"{}\": {{\"gpu\": ...}}}} "
            "or {{\"nic\": ...}}, with a name of the catalogue",
            pci.busid));
  }

  PlannedDevice plan_gpu(const NcclPci& pci) {
    const GpuModel* model = find_gpu_model(pci, import_);
    PcieWidth own;
    if (model != nullptr) own = {model->pcie_generation, model->pcie_lanes};
    PcieWidth width = device_width(pci, model != nullptr ? &own : nullptr);
    if (width.generation == 1 && own.generation > 1 && model != nullptr) {
      // NCCL from 2.30 writes the current generation, and an idle GPU drops to the first.
      width.generation = own.generation;
      import_.assumptions.add(
          fmt::format("GPUs at PCIe Gen1 are idle ones; taken as Gen{}", own.generation),
          pci.busid);
    }
    return {Role::kGpu, &pci, catalogued(pci, width), model, nullptr, {}};
  }

  PlannedDevice plan_nic(const NcclPci& pci) {
    const NicModel* model = find_nic_model(pci, import_);
    PcieWidth own;
    if (model != nullptr) own = {model->pcie_generation, model->pcie_lanes};
    PcieWidth width = device_width(pci, model != nullptr ? &own : nullptr);
    if (model != nullptr) width = width.meet(own);
    return {Role::kNic, &pci, catalogued(pci, width), nullptr, model, {}};
  }

  void plan_switch(const NcclPci& pci, PlannedTree& tree) {
    PlannedDevice device{Role::kSwitch, &pci, {}, nullptr, nullptr, {}};
    const int merged = merged_switch_generation(pci, 0);
    for (const NcclPci& child : pci.children) {
      if (merged == 0 || merged_switch_generation(child, 1) != merged) {
        plan(child, device.below);
        continue;
      }
      import_.assumptions.add(
          "Broadcom PCIe switches that show two levels are one switch, as for NCCL", child.busid);
      for (const NcclPci& grandchild : child.children) plan(grandchild, device.below);
    }
    if (device.below.empty()) return;
    device.width = catalogued(pci, switch_width(device));
    tree.push_back(std::move(device));
  }

  /// The link as the file gives it; `own` is what the card can do, null if unknown.
  PcieWidth device_width(const NcclPci& pci, const PcieWidth* own) {
    PcieWidth width;
    const std::string unknown = pci.link_speed.empty()
                                    ? "PCIe link speed not given"
                                    : fmt::format("PCIe link speed \"{}\" unknown", pci.link_speed);
    if (const auto generation = pcie_generation_of(pci.link_speed)) {
      width.generation = *generation;
    } else if (own != nullptr) {
      width.generation = own->generation;
      import_.assumptions.add(
          fmt::format("{}; taken as Gen{}, the card's own", unknown, own->generation), pci.busid);
    } else {
      import_.assumptions.add(unknown + "; taken as Gen3, as NCCL does", pci.busid);
    }
    if (pci.link_width > 0) {
      width.lanes = pci.link_width;
    } else {
      import_.assumptions.add("PCIe link width unknown; taken as x16, as NCCL does", pci.busid);
    }
    return width;
  }

  PcieWidth switch_width(const PlannedDevice& device) {
    const NcclPci& pci = *device.pci;
    PcieWidth fastest = device.below.front().width;
    for (const PlannedDevice& child : device.below) {
      if (pcie_transfer_rate(child.width) > pcie_transfer_rate(fastest)) fastest = child.width;
    }
    const auto generation = pcie_generation_of(pci.link_speed);
    const PcieWidth own{generation.value_or(1), pci.link_width > 0 ? pci.link_width : 16};
    const bool is_real = generation.value_or(1) >= 3 && !is_emulated_bridge(pci);
    if (is_real || (generation && pcie_transfer_rate(own) >= pcie_transfer_rate(fastest))) {
      return own;
    }
    import_.assumptions.add(
        generation
            ? "bridges slower than what is below them are emulated, and taken as fast as that"
            : "bridges of unknown speed are taken as fast as what is below them",
        pci.busid);
    return fastest;
  }

  PcieWidth catalogued(const NcclPci& pci, PcieWidth width) {
    const std::int64_t nearest = import_.catalog.nearest_pcie_generation(width.generation);
    if (nearest != width.generation) {
      import_.assumptions.add(
          fmt::format("PCIe Gen{} is not catalogued; taken as Gen{}", width.generation, nearest),
          pci.busid);
    }
    return {nearest, width.lanes};
  }

  NcclImport& import_;
};

/// What a top-level device shares a root complex by: the one that the file tells, or the card of
/// which it is a function. Empty for others.
std::string root_of(const NcclPci& pci, const PlannedTree& tree) {
  if (!pci.root_complex.empty() || tree.front().role != Role::kNic) return pci.root_complex;
  return std::string(card_of(pci.busid));
}

}  // namespace

std::vector<PlannedTree> plan_devices(const std::vector<const NcclCpu*>& cpus, NcclImport& import) {
  std::vector<PlannedTree> trees;
  std::map<std::string, std::size_t> told;  // by root complex
  Planner planner(import);
  for (const NcclCpu* cpu : cpus) {
    for (const NcclPci& pci : cpu->pcis) {
      PlannedTree tree;
      planner.plan(pci, tree);
      if (tree.empty()) continue;
      const std::string root = root_of(pci, tree);
      const auto known = root.empty() ? told.end() : told.find(root);
      if (known != told.end()) {
        std::move(tree.begin(), tree.end(), std::back_inserter(trees[known->second]));
        continue;
      }
      if (!root.empty()) told.emplace(root, trees.size());
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

}  // namespace vgsim::topology
