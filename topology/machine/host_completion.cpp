#include "topology/machine/host_completion.hpp"

#include <fmt/core.h>

#include <utility>

#include "topology/catalog/part_names.hpp"
#include "topology/input/matching_names.hpp"
#include "topology/input/suggest.hpp"
#include "topology/machine/bus_id.hpp"
#include "topology/machine/import_codes.hpp"
#include "topology/machine/pci_names.hpp"
#include "topology/machine/text.hpp"

namespace vgsim::topology::inventory {
namespace {

HostCompletion normalized(HostCompletion completion) {
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

/// Looks up the part that `model` of a device names, or reports that it is not in the catalogue.
template <class Model>
void complete_by_name(const input::NameTable<Model>& table, const Device& device, const char* what,
                      std::map<std::string, const Model*>& completed, const HostFile& file,
                      input::Diagnostics& diagnostics) {
  const auto found = table.find(device.model->value);
  if (found != table.end()) {
    completed.emplace(device.bus_id, &found->second);
    return;
  }
  std::vector<std::string> names;
  for (const auto& [name, model] : table) names.push_back(name);
  diagnostics.error(
      "E411", {file.source, 0, 1}, "",
      fmt::format("unknown {} \"{}\" of {}", what, device.model->value, device.bus_id),
      "a name that vgsim catalog lists", input::suggest(device.model->value, names));
}

/// The CPU that the file states by its catalogue name, as written by users; dumps contain product
/// names instead. Null if there is none.
const CpuModel* named_cpu(const Inventory& host, const Catalog& catalog) {
  std::vector<input::KnownName> known;
  for (const auto& [id, cpu] : catalog.cpus) known.push_back({id, {cpu.name}});
  std::vector<const Maybe<std::string>*> names = {&host.cpu_name};
  for (const NumaNode& node : host.numa_nodes) names.push_back(&node.cpu_name);
  for (const Maybe<std::string>* name : names) {
    if (!*name) continue;
    const auto meant = input::matching_names((*name)->value, known);
    if (meant.size() == 1) return &catalog.cpus.at(meant.front());
  }
  return nullptr;
}

bool is_amd(const Device& device) {
  return (device.gpu && device.gpu->gcn) || (device.vendor && device.vendor->value == "1002") ||
         (device.name && vendor_by_name(device.name->value) == "1002");
}

}  // namespace

HostCompletion completed(HostCompletion completion, const Inventory& host, const HostFile& file,
                         const Catalog& catalog, input::Diagnostics& diagnostics) {
  if (completion.cpu == nullptr) completion.cpu = named_cpu(host, catalog);
  std::vector<std::string> amd;
  for_each_device(host, [&](const Device& device) {
    if (device.kind == DeviceKind::kGpu && is_amd(device)) {
      amd.push_back(device.bus_id);
    } else if (device.kind == DeviceKind::kGpu && device.model) {
      complete_by_name(catalog.gpus, device, "gpu", completion.gpus, file, diagnostics);
    } else if (device.kind == DeviceKind::kGpu && device.name && completion.gpu == nullptr) {
      const GpuModel* model = gpu_by_dumped_name(catalog, device.name->value);
      if (model != nullptr) completion.gpus.emplace(device.bus_id, model);
    } else if (device.kind == DeviceKind::kNic && device.model) {
      complete_by_name(catalog.nics, device, "nic", completion.nics, file, diagnostics);
    }
  });
  if (!amd.empty()) {
    diagnostics.error(import_codes::kAmdGpus.code, {file.source, 0, 1}, "",
                      fmt::format("AMD GPUs are not supported, NVIDIA GPUs only: {}", few_of(amd)));
  }
  return normalized(std::move(completion));
}

}  // namespace vgsim::topology::inventory
