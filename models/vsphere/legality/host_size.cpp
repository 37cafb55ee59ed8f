#include <algorithm>
#include <numeric>
#include <vector>

#include "models/vsphere/legality/checks.hpp"
#include "models/vsphere/placement/host_room.hpp"

namespace vgsim::vsphere {
namespace {

/// Indices of VMs, as they are powered on.
std::vector<std::size_t> in_order(const std::vector<VirtualMachine>& vms) {
  std::vector<std::size_t> order(vms.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return vms[a].settings.power_on < vms[b].settings.power_on;
  });
  return order;
}

}  // namespace

/// A VM whose reservation does not fit into the capacity that earlier VMs left stays off, and uses
/// no capacity.
void check_host_size(const Judged& layout, Findings& findings) {
  std::vector<Bytes> reserved(layout.hosts.size(), Bytes{0});
  for (const std::size_t index : in_order(layout.vms)) {
    const VirtualMachine& vm = layout.vms[index];
    const HostDemand demand = demand_of(vm.settings, !vm.gpus.empty() || passed_nics(vm) > 0);
    const HostInventory& host = layout.hosts[vm.host];
    const bool has_memory =
        lacking({std::nullopt, demand.reserved}, host, reserved[vm.host]).empty();
    for (const Refusal& refusal : lacking(demand, host, reserved[vm.host])) {
      findings.add(refusal.rule, vm.name, refusal.text);
    }
    if (host.memory && has_memory) reserved[vm.host] += demand.reserved.value_or(Bytes{0});
  }
}

}  // namespace vgsim::vsphere
