#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "topology/importers/nccl/nccl_error_codes.hpp"
#include "topology/importers/nccl/nccl_xml.hpp"
#include "topology/inventory/pci_class.hpp"

namespace vgsim::topology {
namespace {

/// What is to be unique in a host: by host hash and bus id or number, in file order.
struct Seen {
  std::map<std::pair<std::string, std::string>, std::vector<const NcclPci*>> by_bus_id;
  std::map<std::pair<std::string, std::int64_t>, std::vector<const NcclGpu*>> by_dev;
};

void collect(const std::string& host, const std::vector<NcclPci>& pcis, Seen& seen) {
  for (const NcclPci& pci : pcis) {
    if (!pci.busid.empty()) seen.by_bus_id[{host, pci.busid}].push_back(&pci);
    if (pci.gpu && pci.gpu->dev) seen.by_dev[{host, *pci.gpu->dev}].push_back(&*pci.gpu);
    collect(host, pci.children, seen);
  }
}

bool may_be_gpu(const NcclPci& pci) {
  return pci.gpu || is_gpu_class(pci.device_class) || pci.device_class.empty();
}

}  // namespace

/// Looked up by host hash as well, since a file may hold several hosts, which repeat bus ids. Two
/// GPUs at one bus id or with one number are parts of a split GPU, an error; other devices at one
/// bus id may be functions that a guest sees twice, a warning.
void report_same_gpus(const NcclSystem& system, input::Diagnostics& diagnostics) {
  Seen seen;
  for (const NcclCpu& cpu : system.cpus) collect(cpu.host_hash, cpu.pcis, seen);
  for (const auto& [key, pcis] : seen.by_bus_id) {
    if (pcis.size() < 2) continue;
    const input::Location second{system.source, pcis[1]->offset, 3};
    const auto gpus =
        std::ranges::count_if(pcis, [](const NcclPci* pci) { return may_be_gpu(*pci); });
    if (gpus > 1) {
      diagnostics.error(nccl_codes::kSameGpu.code, second, "",
                        fmt::format("{} GPUs have the bus id {}", gpus, key.second));
    } else {
      diagnostics.warning(nccl_codes::kSameBusId.code, second, "",
                          fmt::format("{} devices have the bus id {}", pcis.size(), key.second));
    }
  }
  for (const auto& [key, gpus] : seen.by_dev) {
    if (gpus.size() < 2) continue;
    diagnostics.error(nccl_codes::kSameGpu.code, {system.source, gpus[1]->offset, 3}, "",
                      fmt::format("{} GPUs have dev=\"{}\"; split GPUs are not supported",
                                  gpus.size(), key.second));
  }
}

}  // namespace vgsim::topology
