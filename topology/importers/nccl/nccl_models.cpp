#include "topology/importers/nccl/nccl_models.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace vgsim::topology {
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

const GpuModel* completed_gpu(const NcclPci& pci, NcclImport& import) {
  const auto named = import.completion.gpus.find(pci.busid);
  const GpuModel* model =
      named != import.completion.gpus.end() ? named->second : import.completion.gpu;
  const auto of_id = with_pci_id(import.catalog.gpus, pci_id(pci));
  if (model != nullptr && !of_id.empty() && std::ranges::find(of_id, model) == of_id.end()) {
    import.assumptions.add(fmt::format("GPUs taken as {} as the scenario says, although "
                                       "their device id is that of {}",
                                       model->id, names(of_id)),
                           pci.busid);
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

/// The file's rate of a card in bytes per second; 0 if it does not give it.
std::int64_t file_rate(const NcclPci& pci) {
  return std::accumulate(
      pci.nets.begin(), pci.nets.end(), std::int64_t{0},
      [](std::int64_t sum, const NcclNet& net) { return sum + net.usable_speed() * 125'000; });
}

}  // namespace

std::string pci_id(const NcclPci& pci) {
  const auto known = [](const std::string& digits) {
    return digits.size() == 4 && digits != "0000" && digits != "ffff";
  };
  return known(pci.vendor) && known(pci.device) ? pci.vendor + ":" + pci.device : std::string();
}

/// In the order of how sure it is: what the scenario says, the PCI ids, then the only catalogue
/// model of that compute capability. If several fit, none is taken, since a guess at memory and
/// rates would be worse than none.
const GpuModel* find_gpu_model(const NcclPci& pci, NcclImport& import) {
  if (const GpuModel* completed = completed_gpu(pci, import)) return completed;
  const auto of_id = with_pci_id(import.catalog.gpus, pci_id(pci));
  if (of_id.size() == 1) return of_id.front();
  const std::int64_t sm = pci.gpu ? pci.gpu->sm : 0;
  const auto candidates = !of_id.empty() ? of_id : with_capability(import.catalog, sm);
  if (candidates.size() == 1) {
    import.assumptions.add(fmt::format("GPUs taken as {}, the only one catalogued with "
                                       "compute capability {}.{}",
                                       candidates.front()->id, sm / 10, sm % 10),
                           pci.busid);
    return candidates.front();
  }
  import.assumptions.add(candidates.empty() ? "GPUs of unknown model, nothing in the file tells it"
                                            : fmt::format("GPUs of unknown model, the file fits {}",
                                                          names(candidates)),
                         pci.busid);
  return nullptr;
}

const NicModel* find_nic_model(const NcclPci& pci, NcclImport& import) {
  const auto named = import.completion.nics.find(pci.busid);
  if (named != import.completion.nics.end()) return named->second;
  const std::int64_t rate = file_rate(pci);
  if (rate == 0 && import.completion.nic != nullptr) return import.completion.nic;
  auto of_id = with_pci_id(import.catalog.nics, pci_id(pci));
  if (of_id.empty()) return nullptr;
  const auto better = [&](const NicModel* a, const NicModel* b) {
    const std::int64_t rate_a = a->port_rate.value.count();
    const std::int64_t rate_b = b->port_rate.value.count();
    return rate == 0 ? rate_a > rate_b : std::abs(rate_a - rate) < std::abs(rate_b - rate);
  };
  std::ranges::stable_sort(of_id, better);
  if (of_id.size() > 1 && rate == 0) {
    import.assumptions.add(fmt::format("NICs taken as {}, the fastest of those with their device "
                                       "id ({})",
                                       of_id.front()->id, names(of_id)),
                           pci.busid);
  }
  return of_id.front();
}

}  // namespace vgsim::topology
