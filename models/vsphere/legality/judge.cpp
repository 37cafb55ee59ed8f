#include "models/vsphere/legality/judge.hpp"

#include <algorithm>

#include "models/vsphere/guest_view.hpp"
#include "models/vsphere/legality/checks.hpp"
#include "models/vsphere/nvlink.hpp"

namespace vgsim::vsphere {

std::size_t passed_nics(const VirtualMachine& vm) {
  return static_cast<std::size_t>(std::count_if(
      vm.nics.begin(), vm.nics.end(), [](const VmNic& nic) { return nic.mode->is_passed; }));
}

std::optional<Restriction> gpudirect_restriction(const VirtualMachine& vm,
                                                 const HostInventory& host,
                                                 const Versions& versions,
                                                 std::string_view version) {
  return vm.mode->gpudirect_restriction
             ? vm.mode->gpudirect_restriction(vm, host, versions, version)
             : std::nullopt;
}

void judge(const Judged& layout, Findings& findings) {
  for (const VirtualMachine& vm : layout.vms) {
    const GuestView view(layout.topology, vm);
    const Case each{layout, vm, layout.hosts[vm.host], view, findings};
    check_limits(each);
    check_prerequisites(each);
    check_drivers(each);
    check_peer_traffic(each);
    check_gpudirect(each);
    check_operations(each);
    check_gpu_demand(each);
  }
  check_host_size(layout, findings);
}

void restrict_guests(const Facts& facts, std::string_view version,
                     const std::vector<HostInventory>& hosts, std::vector<VirtualMachine>& vms) {
  for (VirtualMachine& vm : vms) {
    vm.p2p_below_roots = !facts.versions.has(version, "p2p-all-passthrough");
    vm.nvlink_reach = nvlink_reach(vm, hosts[vm.host], facts.versions, version);
    vm.gpudirect_rdma = !gpudirect_restriction(vm, hosts[vm.host], facts.versions, version);
    vm.multicast = !vm.mode->wants_unified || vm.settings.unified_memory;
  }
}

}  // namespace vgsim::vsphere
