#include "models/vsphere/placement/host_room.hpp"

#include <fmt/core.h>

#include "topology/input/binary_size.hpp"

namespace vgsim::vsphere {
namespace {

/// Threads of a core with hyper-threading; scenarios do not state whether it is on.
constexpr std::int64_t kMostThreads = 2;

}  // namespace

HostDemand demand_of(const VmSettings& settings, bool has_devices) {
  HostDemand demand;
  demand.vcpus = settings.vcpus;
  if (has_devices && settings.memory_reserved) demand.reserved = settings.memory;
  return demand;
}

std::vector<Refusal> lacking(const HostDemand& demand, const HostInventory& host, Bytes reserved) {
  std::vector<Refusal> refusals;
  if (host.cores && demand.vcpus && *demand.vcpus > *host.cores * kMostThreads) {
    refusals.push_back({"vcpus-beyond-host",
                        fmt::format("{} vCPUs, but its host has {} cores: {} logical CPUs at most",
                                    *demand.vcpus, *host.cores, *host.cores * kMostThreads)});
  }
  if (host.memory && demand.reserved && *demand.reserved > *host.memory - reserved) {
    const std::string others = reserved > Bytes{0}
                                   ? fmt::format(", of which other VMs have reserved {}",
                                                 input::format_binary_size(reserved))
                                   : "";
    refusals.push_back(
        {"memory-beyond-host", fmt::format("{} to be reserved, but its host has {}{}",
                                           input::format_binary_size(*demand.reserved),
                                           input::format_binary_size(*host.memory), others)});
  }
  return refusals;
}

}  // namespace vgsim::vsphere
