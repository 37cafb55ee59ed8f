#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "models/vsphere/legality/checks.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::vsphere {
namespace {

/// Threads of a core where hyper-threading is on; of a host nobody says whether it is.
constexpr std::int64_t kMostThreads = 2;

bool has_devices(const VirtualMachine& vm) { return !vm.gpus.empty() || passed_nics(vm) > 0; }

/// Indices of VMs, as they are powered on.
std::vector<std::size_t> in_order(const std::vector<VirtualMachine>& vms) {
  std::vector<std::size_t> order(vms.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return vms[a].settings.power_on < vms[b].settings.power_on;
  });
  return order;
}

void check_vcpus(const VirtualMachine& vm, const HostInventory& host, Findings& findings) {
  if (!host.cores || !vm.settings.vcpus) return;
  const std::int64_t logical = *host.cores * kMostThreads;
  if (*vm.settings.vcpus <= logical) return;
  findings.add("vcpus-beyond-host", vm.name,
               fmt::format("{} vCPUs, and its host has {} cores: {} logical CPUs at most",
                           *vm.settings.vcpus, *host.cores, logical));
}

}  // namespace

/// A VM whose reservation does not fit into what those before it have left stays off, and takes
/// nothing from those after it.
void check_host_size(const Judged& layout, Findings& findings) {
  std::vector<Bytes> reserved(layout.hosts.size(), Bytes{0});
  for (const std::size_t index : in_order(layout.vms)) {
    const VirtualMachine& vm = layout.vms[index];
    const HostInventory& host = layout.hosts[vm.host];
    check_vcpus(vm, host, findings);
    if (!host.memory || !vm.settings.memory || !vm.settings.memory_reserved || !has_devices(vm)) {
      continue;
    }
    Bytes& taken = reserved[vm.host];
    if (*vm.settings.memory <= *host.memory - taken) {
      taken += *vm.settings.memory;
      continue;
    }
    const std::string others =
        taken > Bytes{0}
            ? fmt::format(", of which other VMs have reserved {}", input::format_bytes(taken))
            : "";
    findings.add("memory-beyond-host", vm.name,
                 fmt::format("{} to be reserved, and its host has {}{}",
                             input::format_bytes(*vm.settings.memory),
                             input::format_bytes(*host.memory), others));
  }
}

}  // namespace vgsim::vsphere
