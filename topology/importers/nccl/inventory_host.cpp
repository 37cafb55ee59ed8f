#include "topology/importers/nccl/inventory_host.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "topology/catalog/part_names.hpp"
#include "topology/importers/nccl/nccl_error_codes.hpp"
#include "topology/importers/nccl/nccl_inventory.hpp"
#include "topology/importers/pci_names.hpp"
#include "topology/input/meant_names.hpp"
#include "topology/input/suggest.hpp"
#include "topology/inventory/device_names.hpp"
#include "topology/inventory/pci_class.hpp"

namespace vgsim::topology::inventory {
namespace {

/// Notes the part that a device's `model` names, or reports that the catalogue lacks it.
template <class Model>
void complete_by_name(const input::NameTable<Model>& table, const Device& device, const char* what,
                      std::map<std::string, const Model*>& completed,
                      const input::SourcePtr& source, input::Diagnostics& diagnostics) {
  const auto found = table.find(device.model->value);
  if (found != table.end()) {
    completed.emplace(device.bus_id, &found->second);
    return;
  }
  std::vector<std::string> names;
  for (const auto& [name, model] : table) names.push_back(name);
  diagnostics.error(
      "E411", {source, 0, 1}, "",
      fmt::format("unknown {} \"{}\" of {}", what, device.model->value, device.bus_id),
      "a name that vgsim catalog lists", input::suggest(device.model->value, names));
}

/// The CPU that the file names as the catalogue does: what a person writes, as the names in dumps
/// are those of single products. Null where it names none.
const CpuModel* named_cpu(const Inventory& host, const Catalog& catalog) {
  std::vector<input::KnownName> known;
  for (const auto& [id, cpu] : catalog.cpus) known.push_back({id, {cpu.name}});
  std::vector<const Maybe<std::string>*> names = {&host.cpu_name};
  for (const NumaNode& node : host.numa_nodes) names.push_back(&node.cpu_name);
  for (const Maybe<std::string>* name : names) {
    if (!*name) continue;
    const auto meant = input::meant_names((*name)->value, known);
    if (meant.size() == 1) return &catalog.cpus.at(meant.front());
  }
  return nullptr;
}

/// What a NUMA node has, where it is told of each or of the host: the least of them. And what all
/// of them have.
void count_numa_node(const Inventory& from, topology::Host& host) {
  const auto nodes = static_cast<std::int64_t>(host.sockets.size());
  if (nodes == 0) return;
  if (from.cores) host.numa_cores = from.cores->value / nodes;
  if (from.memory) host.numa_memory = Bytes{from.memory->value.count() / nodes};
  const auto all_tell = [&](const auto& told) {
    return !from.numa_nodes.empty() && std::ranges::all_of(from.numa_nodes, told);
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

bool is_amd(const Device& device) {
  return (device.gpu && device.gpu->gcn) || (device.vendor && device.vendor->value == "1002") ||
         (device.name && vendor_by_name(device.name->value) == "1002");
}

}  // namespace

void build_inventory_host(const Inventory& host, NcclCompletion completion,
                          const input::SourcePtr& source, DeviceBuilder& devices,
                          input::Diagnostics& diagnostics) {
  const Catalog& catalog = devices.catalog();
  input::Diagnostics found;
  if (completion.cpu == nullptr) completion.cpu = named_cpu(host, catalog);
  for_each_device(host, [&](const Device& device) {
    if (device.kind == DeviceKind::kGpu && is_amd(device)) {
      found.error(
          nccl_codes::kAmdGpus.code, {source, 0, 1}, "",
          fmt::format("{} is a GPU of AMD: the catalogue knows NVIDIA GPUs only", device.bus_id));
    } else if (device.kind == DeviceKind::kGpu && device.model) {
      complete_by_name(catalog.gpus, device, "gpu", completion.gpus, source, found);
    } else if (device.kind == DeviceKind::kGpu && device.name && completion.gpu == nullptr) {
      const GpuModel* model = gpu_by_dumped_name(catalog, device.name->value);
      if (model != nullptr) completion.gpus.emplace(device.bus_id, model);
    } else if (device.kind == DeviceKind::kNic && device.model) {
      complete_by_name(catalog.nics, device, "nic", completion.nics, source, found);
    }
  });
  if (!found.has_errors()) build_nccl_host(to_nccl(host, source), completion, devices, found);
  if (!found.has_errors()) count_numa_node(host, devices.host());
  diagnostics.append(found);
}

std::vector<OpenPoint> open_points(const Inventory& host, const Catalog& catalog) {
  Topology topology;
  DeviceBuilder devices(topology, catalog, "host");
  input::Diagnostics problems;
  const auto source = std::make_shared<const input::SourceFile>(input::SourceFile{"import", {}});
  build_inventory_host(host, {}, source, devices, problems);
  if (!problems.has_errors()) return devices.host().open;
  if (gpus_in_order(host).empty()) return {};  // said where devices are listed
  for (const input::Diagnostic& each : problems.items()) {
    if (each.severity == input::Severity::error) return {{each.message, OpenPoint::Kind::kNeeded}};
  }
  return {};
}

}  // namespace vgsim::topology::inventory
