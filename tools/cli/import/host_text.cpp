#include "tools/cli/import/host_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "tools/text/words.hpp"
#include "topology/catalog/part_names.hpp"
#include "topology/machine/device_names.hpp"
#include "topology/machine/path_classes.hpp"

namespace vgsim::cli {
namespace {

using topology::Catalog;
using namespace topology::inventory;

/// The part of a table with that PCI id; null if none or several have it.
template <class Table>
const typename Table::mapped_type* only_with_id(const Table& table, const std::string& id) {
  const typename Table::mapped_type* found = nullptr;
  for (const auto& [name, part] : table) {
    if (std::find(part.pci_ids.begin(), part.pci_ids.end(), id) == part.pci_ids.end()) continue;
    if (found != nullptr) return nullptr;
    found = &part;
  }
  return found;
}

std::string pci_id(const Device& device) {
  if (!device.vendor || !device.device || device.vendor->value == "0000") return {};
  return device.vendor->value + ":" + device.device->value;
}

/// "8 x h200-sxm, 2 x GPU".
std::string counted(const std::map<std::string, std::size_t>& kinds) {
  std::vector<std::string> texts;
  for (const auto& [what, count] : kinds) texts.push_back(fmt::format("{} x {}", count, what));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string nvlink_fact(const Inventory& host) {
  const std::vector<const Device*> gpus = gpus_in_order(host);
  std::map<std::int64_t, std::size_t> pairs;
  bool xgmi = false;
  bool switched = false;
  for (std::size_t a = 0; a < gpus.size(); ++a) {
    if (!gpus[a]->gpu) continue;
    xgmi = xgmi || gpus[a]->gpu->xgmi;
    for (const NvLinks& links : gpus[a]->gpu->nvlinks) {
      switched = switched || (links.target_class && links.target_class->value == "068000") ||
                 links.target.value == kHiddenNvSwitch;
    }
    for (std::size_t b = a + 1; b < gpus.size(); ++b) {
      const std::int64_t links = nvlinks_between(*gpus[a], *gpus[b]);
      if (links > 0) ++pairs[links];
    }
  }
  if (pairs.empty()) return {};
  std::vector<std::string> texts;
  for (const auto& [links, count] : pairs) {
    texts.push_back(fmt::format("{} between {}", links, text::plural(count, "pair")));
  }
  return fmt::format("{}: {} of GPUs{}", xgmi ? "xGMI links" : "NVLinks", fmt::join(texts, ", "),
                     switched ? ", through NVSwitches" : "");
}

std::vector<std::string> graph_facts(const Inventory& host) {
  std::vector<std::string> facts;
  for (const ChosenGraph& graph : host.graphs) {
    if (graph.channels.empty()) continue;
    constexpr const char* kWhat[] = {"rings", "trees", "CollNet chains", "NVLS", "CollNet direct"};
    const auto id = static_cast<std::size_t>(std::clamp<std::int64_t>(graph.id, 0, 4));
    facts.push_back(fmt::format("{} that NCCL chose: {} of {} GB/s", kWhat[id],
                                text::plural(graph.channels.size(), "channel"), graph.speed_intra));
  }
  return facts;
}

}  // namespace

std::string device_text(const Device& device, const Catalog& catalog) {
  if (device.model) return device.model->value;
  const std::string id = pci_id(device);
  if (device.kind == DeviceKind::kGpu) {
    if (const auto* gpu = only_with_id(catalog.gpus, id)) return gpu->id;
    if (device.name) {
      if (const auto* gpu = topology::gpu_by_dumped_name(catalog, device.name->value))
        return gpu->id;
    }
  } else if (device.kind == DeviceKind::kNic) {
    if (const auto* nic = only_with_id(catalog.nics, id)) return nic->id;
  }
  if (device.name) return device.name->value;
  if (!id.empty()) return id;
  return device.kind == DeviceKind::kGpu ? "GPU" : device.kind == DeviceKind::kNic ? "NIC" : "";
}

std::vector<std::string> host_facts(const Inventory& host, const Catalog& catalog) {
  std::map<std::string, std::size_t> gpus;
  std::map<std::string, std::size_t> nics;
  std::size_t switches = 0;
  std::size_t untold = 0;
  for_each_device(host, [&](const Device& device) {
    if (device.kind == DeviceKind::kGpu) ++gpus[device_text(device, catalog)];
    if (device.kind == DeviceKind::kNic) ++nics[device_text(device, catalog)];
    switches += device.kind == DeviceKind::kBridge;
    untold += device.kind == DeviceKind::kOther;
  });
  std::vector<std::string> facts = graph_facts(host);
  if (host.numa_nodes.empty() && host.unplaced.empty() && !host.name) return facts;
  std::string machine = host.name ? host.name->value : std::string("a host");
  if (host.model) machine += fmt::format(", {}", host.model->value);
  if (host.hypervisor) machine += fmt::format(", {}", host.hypervisor->value);
  facts.push_back(
      fmt::format("{}: {}, {}", machine, text::plural(host.numa_nodes.size(), "NUMA node"),
                  switches == 1 ? "1 PCIe switch" : fmt::format("{} PCIe switches", switches)));
  facts.push_back(gpus.empty() ? "no GPU" : "GPUs: " + counted(gpus));
  facts.push_back(nics.empty() ? "no NIC" : "NICs: " + counted(nics));
  if (untold > 0)
    facts.push_back(text::plural(untold, "device") + " without further data in the files");
  const std::string links = nvlink_fact(host);
  if (!links.empty()) facts.push_back(links);
  if (!host.device_groups.empty()) {
    facts.push_back(fmt::format("device groups: {}", fmt::join(host.device_groups, ", ")));
  }
  if (!host.profiles.empty()) facts.push_back(text::plural(host.profiles.size(), "vGPU profile"));
  return facts;
}

}  // namespace vgsim::cli
