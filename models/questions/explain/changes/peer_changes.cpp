#include <set>
#include <string>
#include <utility>

#include "models/questions/explain/changes/change_context.hpp"
#include "models/questions/explain/changes/nccl_paths.hpp"
#include "models/vsphere/modes/gpu_modes.hpp"

namespace vgsim::scenario {
namespace {

void add_allowed(const ChangeContext& at, std::vector<Change>& changes) {
  Change change{"allow-p2p",
                "pciPassthru.allowP2P and RelaxACSforP2P in the VMs",
                {},
                {"vSphere 7.0 or later, and GPUs and NICs below one PCIe switch or root complex"},
                {},
                false};
  for (const auto* vm : vms_of_job(at)) {
    if (*vm->value->spec.allow_p2p) continue;
    change.overrides.push_back(set_flag(place_of(kVms, *vm, "/allow_p2p"), true));
  }
  add_if_any(std::move(change), changes);
}

/// Access control that sends traffic of peers through the root complex.
void add_acs(const ChangeContext& at, std::vector<Change>& changes) {
  const bool in_vms = !layout_of(at).vms.empty();
  Change acs{in_vms ? "relax-acs" : "clear-acs",
             in_vms ? "PCIe access control (ACS) relaxed below the PCIe switches"
                    : "access control (ACS) cleared on the PCIe switches",
             {},
             {in_vms ? "the BIOS setting, or pciPassthru.RelaxACSforP2P in the VM"
                     : "the BIOS setting, or setpci on the ports of the switches after each boot"},
             {},
             false};
  Change ats{"ats", "address translation services (ATS) of devices",
             {},    {"vSphere 7.0U2 or later [ats-version]"},
             {},    false};
  for (const auto& host : layout_of(at).hosts) {
    if (!*host.value->spec.acs) continue;
    acs.overrides.push_back(set_flag(place_of(kHosts, host, "/acs"), false));
    if (in_vms) ats.overrides.push_back(set_flag(place_of(kHosts, host, "/bios/ats"), true));
  }
  add_if_any(std::move(acs), changes);
  add_if_any(std::move(ats), changes);
}

bool translates(const vsphere::HostSettings& settings) {
  return settings.iommu == vsphere::Iommu::kTranslate;
}

/// Of hosts without a hypervisor: for VMs the IOMMU always translates.
void add_iommu(const ChangeContext& at, std::vector<Change>& changes) {
  if (!layout_of(at).vms.empty()) return;
  Change change{"iommu-passthrough",
                "IOMMU in passthrough mode (iommu=pt)",
                {},
                {"the kernel parameter iommu=pt, and a reboot"},
                {},
                false};
  for (const auto& host : layout_of(at).hosts) {
    if (!translates(host.value->settings)) continue;
    change.overrides.push_back(set_text(place_of(kHosts, host, "/iommu"), "passthrough"));
  }
  add_if_any(std::move(change), changes);
}

/// GPUs without peer-to-peer over PCIe, whose data crosses host memory. NCCL's own limit of path
/// types can exclude them as well, so both are tried.
void add_pcie_peers(const ChangeContext& at, std::vector<Change>& changes) {
  const NcclPaths paths = nccl_paths(at);
  if (!paths.host_memory && !paths.splits_hosts) return;
  const Placement& placement = at.prepared.layouts.front().placement;
  const Cluster& cluster = *placement.cluster;
  Change change{"pcie-p2p", "GPUs with peer-to-peer access over PCIe",
                {},         {"GPUs whose driver offers peer-to-peer (not GeForce)"},
                {},         false};
  std::set<std::size_t> hosts;
  bool allows = false;
  for (const JobMachine& taken : placement.job.machines) {
    const Machine& machine = cluster.machines[taken.machine];
    const vsphere::VirtualMachine& vm = cluster.kinds[machine.kind];
    const ClusterHost& host = cluster.hosts[machine.host];
    if (cluster.topology.hosts[host.kind].pcie_p2p || !vm.mode->has_pcie_peers()) continue;
    if (hosts.insert(machine.host).second) {
      change.overrides.push_back(set_flag(place_of(kHosts, host, "/pcie_p2p"), true));
    }
    if (vm.allow_p2p) continue;
    allows = true;
    change.overrides.push_back(set_flag(place_of(kVms, machine, "/allow_p2p"), true));
  }
  if (change.overrides.empty()) return;
  if (allows) change.needs.emplace_back("pciPassthru.allowP2P in the VMs");
  changes.push_back(change);
  const auto& variables = layout_of(at).job->nccl.variables;
  const auto level = variables.find("NCCL_P2P_LEVEL");
  if (level != variables.end() && *level->second == "SYS") return;
  change.title += " and NCCL_P2P_LEVEL=SYS";
  change.overrides.push_back(set_text("/job/nccl/NCCL_P2P_LEVEL", "SYS"));
  changes.push_back(std::move(change));
}

}  // namespace

void add_peer_changes(const ChangeContext& at, std::vector<Change>& changes) {
  add_allowed(at, changes);
  add_acs(at, changes);
  add_iommu(at, changes);
  add_pcie_peers(at, changes);
}

}  // namespace vgsim::scenario
