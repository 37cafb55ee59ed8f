#include <fmt/core.h>

#include "models/questions/explain/changes/change_context.hpp"
#include "models/scenario/read/library.hpp"

namespace vgsim::scenario {
namespace {

void add_topology_file(const ChangeContext& at, std::vector<Change>& changes) {
  Change change{"topology-file",
                "NCCL_TOPO_FILE in the guests, with the host's PCIe tree",
                {},
                {"vgsim export SCENARIO --vm NAME --as nccl writes it"},
                {},
                false};
  for (const auto* vm : vms_of_job(at)) {
    if (*vm->value->spec.guest_topology == vsphere::GuestTopology::kTopoFile) continue;
    change.overrides.push_back(set_text(place_of(kVms, *vm, "/guest_topology"), "topo_file"));
  }
  add_if_any(std::move(change), changes);
}

/// Peer-to-peer over PCIe and GPUDirect RDMA, if VMs, hosts or NCCL disable it.
void add_p2p(const ChangeContext& at, std::vector<Change>& changes) {
  Change allowed{"allow-p2p",
                 "pciPassthru.allowP2P and RelaxACSforP2P in the VMs",
                 {},
                 {"vSphere 7.0 or later, and GPUs and NICs below one PCIe switch or root complex"},
                 {},
                 false};
  for (const auto* vm : vms_of_job(at)) {
    if (*vm->value->spec.allow_p2p) continue;
    allowed.overrides.push_back(set_flag(place_of(kVms, *vm, "/allow_p2p"), true));
  }
  add_if_any(std::move(allowed), changes);
  Change ats{"ats", "address translation services (ATS) of devices",
             {},    {"vSphere 7.0U2 or later [ats-version]"},
             {},    false};
  Change acs{"relax-acs", "PCIe access control (ACS) relaxed below the PCIe switches",
             {},          {"the BIOS setting, or pciPassthru.RelaxACSforP2P in the VM"},
             {},          false};
  for (const auto& host : layout_of(at).hosts) {
    if (!host.value->spec.acs) continue;
    acs.overrides.push_back(set_flag(place_of(kHosts, host, "/acs"), false));
    ats.overrides.push_back(set_flag(place_of(kHosts, host, "/bios/ats"), true));
  }
  add_if_any(std::move(acs), changes);
  add_if_any(std::move(ats), changes);
}

/// Whether a NIC is a DPU.
bool has_dpu(const ChangeContext& at) {
  for (const auto& host : layout_of(at).hosts) {
    for (const auto& nic : host.value->spec.nics) {
      const auto model = at.library.catalog->nics.find(*nic->nic);
      if (model != at.library.catalog->nics.end() && model->second.dpu) return true;
    }
  }
  return false;
}

void add_cores(const ChangeContext& at, std::vector<Change>& changes) {
  Change change{"more-vcpus", "twice as many vCPUs",
                {},           {"free cores of the same NUMA nodes [vm-wider-than-numa]"},
                {},           false};
  for (const auto* vm : vms_of_job(at)) {
    const auto& now = vm->value->spec.settings.vcpus;
    if (!now) continue;
    change.overrides.push_back(
        set_number(place_of(kVms, *vm, "/vcpus"), 2.0 * static_cast<double>(*now)));
  }
  add_if_any(std::move(change), changes);
  if (!has_dpu(at)) return;
  changes.push_back({"dpu-offload",
                     "the virtual switch on the DPU",
                     {set_flag("/hosts/*/dpu_offload", true)},
                     {"vSphere 8.0 or later, and a DPU that it supports [dpu-offload]"},
                     {},
                     false});
}

void add_versions(const ChangeContext& at, std::vector<Change>& changes) {
  const std::string& now = *layout_of(at).vsphere;
  for (const char* version : {"8.0U3", "9.0"}) {
    if (now >= version) continue;
    changes.push_back({"vsphere-version",
                       fmt::format("vSphere {} instead of {}", version, now),
                       {set_text("/vsphere", version)},
                       {"hosts and virtual hardware that this version supports"},
                       {},
                       false});
  }
}

/// A job with remote GPUs.
void add_local(const ChangeContext& at, std::vector<Change>& changes) {
  Change change{"local-gpus", "the job's processes in the VM with the GPUs", {}, {}, {}, false};
  for (const auto& vm : layout_of(at).vms) {
    if (!vm.value->spec.remote_client) continue;
    change.overrides.push_back(take_away(place_of(kVms, vm, "/remote_client")));
  }
  add_if_any(std::move(change), changes);
}

}  // namespace

void add_guest_changes(const ChangeContext& at, std::vector<Change>& changes) {
  if (layout_of(at).vms.empty()) return;
  add_topology_file(at, changes);
  add_p2p(at, changes);
  add_cores(at, changes);
  add_versions(at, changes);
  add_local(at, changes);
}

}  // namespace vgsim::scenario
