#include "topology/machine/host_models.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "topology/catalog/part_names.hpp"
#include "topology/machine/device_facts.hpp"

namespace vgsim::topology::inventory {
namespace {

template <class Table>
std::vector<const typename Table::mapped_type*> with_pci_id(const Table& table,
                                                            const std::string& id) {
  std::vector<const typename Table::mapped_type*> found;
  for (const auto& [name, part] : table) {
    if (std::ranges::find(part.pci_ids, id) != part.pci_ids.end()) {
      found.push_back(&part);
    }
  }
  return found;
}

template <class Model>
std::string names(const std::vector<const Model*>& models) {
  std::vector<std::string> ids;
  for (const Model* model : models) ids.push_back(model->id);
  return fmt::format("{}", fmt::join(ids, ", "));
}

const GpuModel* completed_gpu(const Device& device, HostBuild& build) {
  const auto named = build.completion.gpus.find(device.bus_id);
  const GpuModel* model =
      named != build.completion.gpus.end() ? named->second : build.completion.gpu;
  const auto of_id = with_pci_id(build.catalog.gpus, pci_id_of(device));
  if (model != nullptr && !of_id.empty() && std::ranges::find(of_id, model) == of_id.end()) {
    build.assumptions.add(fmt::format("GPUs taken as {} by the scenario, although "
                                      "their device id is that of {}",
                                      model->id, names(of_id)),
                          device.bus_id);
  }
  return model;
}

std::vector<const GpuModel*> with_capability(const Catalog& catalog, std::int64_t sm) {
  std::vector<const GpuModel*> found;
  for (const auto& [id, gpu] : catalog.gpus) {
    if (sm > 0 && gpu.compute_capability == sm) found.push_back(&gpu);
  }
  return found;
}

}  // namespace

/// Order of certainty: the scenario, the PCI ids, then the only catalogue model with that compute
/// capability. If several match, none is used: a wrong guess of memory and rates is worse than an
/// unknown model.
const GpuModel* find_gpu_model(const Device& device, HostBuild& build) {
  if (const GpuModel* completed = completed_gpu(device, build)) return completed;
  const auto of_id = with_pci_id(build.catalog.gpus, pci_id_of(device));
  if (of_id.size() == 1) return of_id.front();
  const std::int64_t sm = device.gpu && device.gpu->sm ? device.gpu->sm->value : 0;
  const auto candidates = !of_id.empty() ? of_id : with_capability(build.catalog, sm);
  if (candidates.size() == 1) {
    build.assumptions.add(fmt::format("GPUs taken as {}, the only one catalogued with "
                                      "compute capability {}.{}",
                                      candidates.front()->id, sm / 10, sm % 10),
                          device.bus_id);
    return candidates.front();
  }
  std::string what = "GPUs of unknown model: the file does not state it";
  if (device.name && gpu_by_dumped_name(build.catalog, device.name->value) == nullptr) {
    what = "GPUs of unknown model: " + unknown_gpu_text(build.catalog, device.name->value);
  } else if (!candidates.empty()) {
    what = fmt::format("GPUs of unknown model, the file fits {}", names(candidates));
  }
  build.assumptions.add(std::move(what), device.bus_id);
  return nullptr;
}

const NicModel* find_nic_model(const Device& device, HostBuild& build) {
  const auto named = build.completion.nics.find(device.bus_id);
  if (named != build.completion.nics.end()) return named->second;
  const BytesPerSecond rate = stated_rate(device.ports);
  if (rate == BytesPerSecond{} && build.completion.nic != nullptr) return build.completion.nic;
  auto of_id = with_pci_id(build.catalog.nics, pci_id_of(device));
  if (of_id.empty()) return nullptr;
  const auto better = [&](const NicModel* a, const NicModel* b) {
    const BytesPerSecond rate_a = a->port_rate.value;
    const BytesPerSecond rate_b = b->port_rate.value;
    if (rate == BytesPerSecond{}) return rate_a > rate_b;
    return std::abs((rate_a - rate).count()) < std::abs((rate_b - rate).count());
  };
  std::ranges::stable_sort(of_id, better);
  if (of_id.size() > 1 && rate == BytesPerSecond{}) {
    build.assumptions.add(fmt::format("NICs taken as {}, the fastest of those with their device "
                                      "id ({})",
                                      of_id.front()->id, names(of_id)),
                          device.bus_id);
  }
  return of_id.front();
}

}  // namespace vgsim::topology::inventory
