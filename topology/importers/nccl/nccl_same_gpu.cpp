#include "topology/importers/nccl/nccl_same_gpu.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "topology/machine/import_codes.hpp"
#include "topology/machine/pci_class.hpp"

namespace vgsim::topology {
namespace {

using inventory::NumaNode;

/// Devices that must be unique in a host: by host hash and bus id or number, in file order.
struct Seen {
  std::map<std::pair<std::string, std::string>, std::vector<const Device*>> by_bus_id;
  std::map<std::pair<std::string, std::int64_t>, std::vector<const Device*>> by_number;
};

void collect(const std::string& host, const std::vector<Device>& devices, Seen& seen) {
  for (const Device& device : devices) {
    if (!device.bus_id.empty()) seen.by_bus_id[{host, device.bus_id}].push_back(&device);
    const auto& gpu = device.gpu;
    if (gpu && gpu->index) seen.by_number[{host, gpu->index->value}].push_back(&device);
    collect(host, device.below, seen);
  }
}

bool may_be_gpu(const Device* device) {
  return device->gpu || !device->pci_class || is_gpu_class(device->pci_class->value);
}

}  // namespace

/// The key includes the host hash, since a file can contain several hosts, which repeat bus ids.
/// Two GPUs with one bus id or number are parts of a split GPU, an error; other devices with one
/// bus id can be functions that a guest sees twice, a warning.
void report_same_gpus(const Inventory& system, FileNotes& notes) {
  Seen seen;
  for (const NumaNode& node : system.numa_nodes) {
    collect(node.host_hash ? node.host_hash->value : std::string(), node.devices, seen);
  }
  for (const auto& [key, devices] : seen.by_bus_id) {
    if (devices.size() < 2) continue;
    const input::Location& second = devices[1]->place;
    const auto gpus = std::ranges::count_if(devices, may_be_gpu);
    if (gpus > 1) {
      notes.error(import_codes::kSameGpu, second,
                  fmt::format("{} GPUs have the bus id {}", gpus, key.second));
    } else {
      notes.warn(import_codes::kSameBusId, second,
                 fmt::format("{} devices have the bus id {}", devices.size(), key.second));
    }
  }
  for (const auto& [key, gpus] : seen.by_number) {
    if (gpus.size() < 2) continue;
    notes.error(import_codes::kSameGpu, gpus[1]->place,
                fmt::format("{} GPUs have dev=\"{}\"; split GPUs are not supported", gpus.size(),
                            key.second));
  }
}

}  // namespace vgsim::topology
