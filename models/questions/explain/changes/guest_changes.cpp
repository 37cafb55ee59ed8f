#include <fmt/core.h>

#include "models/questions/explain/changes/document.hpp"
#include "models/scenario/read/library.hpp"

namespace vgsim::scenario {
namespace {

void add_if_any(Change change, std::vector<Change>& changes) {
  if (!change.overrides.empty()) changes.push_back(std::move(change));
}

void add_topology_file(const Situation& at, std::vector<Change>& changes) {
  Change change{"topology-file",
                "NCCL_TOPO_FILE in the guests, with the host's PCIe tree",
                {},
                {"vgsim export SCENARIO --vm NAME --as nccl writes it"},
                {},
                false};
  for (const std::string& vm : names_at(at.document, "/vms")) {
    const std::string place = fmt::format("/vms/{}/guest_topology", vm);
    if (text_at(at.document, place, "flat") == "topo_file") continue;
    change.overrides.push_back(set_text(place, "topo_file"));
  }
  add_if_any(std::move(change), changes);
}

/// Peer-to-peer over PCIe and GPUDirect RDMA where the VMs, the hosts or NCCL forbid it.
void add_p2p(const Situation& at, std::vector<Change>& changes) {
  Change allowed{
      "allow-p2p", "pciPassthru.allowP2P and RelaxACSforP2P in the VMs",
      {},          {"vSphere 7.0 or later, GPUs and NICs below one switch or root complex"},
      {},          false};
  for (const std::string& vm : names_at(at.document, "/vms")) {
    const std::string place = fmt::format("/vms/{}/allow_p2p", vm);
    const auto now = value_at(at.document, place);
    if (!now || now->kind() != input::Kind::boolean || now->boolean()) continue;
    allowed.overrides.push_back(set_flag(place, true));
  }
  add_if_any(std::move(allowed), changes);
  Change ats{"ats", "address translation services (ATS) of devices",
             {},    {"vSphere 7.0U2 or later [ats-version]"},
             {},    false};
  Change acs{"relax-acs", "PCIe access control (ACS) relaxed below the switches",
             {},          {"BIOS, or pciPassthru.RelaxACSforP2P in the VM"},
             {},          false};
  for (const std::string& host : names_at(at.document, "/hosts")) {
    const auto now = value_at(at.document, fmt::format("/hosts/{}/acs", host));
    if (!now || now->kind() != input::Kind::boolean || !now->boolean()) continue;
    acs.overrides.push_back(set_flag(fmt::format("/hosts/{}/acs", host), false));
    ats.overrides.push_back(set_flag(fmt::format("/hosts/{}/bios/ats", host), true));
  }
  add_if_any(std::move(acs), changes);
  add_if_any(std::move(ats), changes);
}

/// Whether some NIC is a DPU.
bool has_dpu(const Situation& at) {
  for (const std::string& host : names_at(at.document, "/hosts")) {
    const std::string own = fmt::format("/hosts/{}/nics", host);
    for (const std::string& nic : names_at(at.document, own)) {
      const auto model =
          at.library.catalog.nics.find(text_at(at.document, fmt::format("{}/{}/nic", own, nic)));
      if (model != at.library.catalog.nics.end() && model->second.dpu) return true;
    }
  }
  return false;
}

void add_cores(const Situation& at, std::vector<Change>& changes) {
  Change change{"more-vcpus", "twice as many vCPUs",
                {},           {"free cores of the same NUMA nodes [vm-wider-than-numa]"},
                {},           false};
  for (const std::string& vm : names_at(at.document, "/vms")) {
    const std::string place = fmt::format("/vms/{}/vcpus", vm);
    const auto now = value_at(at.document, place);
    if (!now || now->kind() != input::Kind::integer) continue;
    change.overrides.push_back(set_number(place, 2.0 * now->number()));
  }
  add_if_any(std::move(change), changes);
  if (!has_dpu(at)) return;
  changes.push_back({"dpu-offload",
                     "the virtual switch on the DPU",
                     {set_flag("/hosts/*/dpu_offload", true)},
                     {"vSphere 8.0 or later, and a DPU that it knows [dpu-offload]"},
                     {},
                     false});
}

void add_versions(const Situation& at, std::vector<Change>& changes) {
  const std::string now = text_at(at.document, "/vsphere", "8.0U3");
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

/// A job whose process runs elsewhere than its GPUs.
void add_local(const Situation& at, std::vector<Change>& changes) {
  Change change{"local-gpus", "the job's process in the VM that has the GPUs", {}, {}, {}, false};
  for (const std::string& vm : names_at(at.document, "/vms")) {
    const std::string place = fmt::format("/vms/{}/remote_client", vm);
    if (value_at(at.document, place)) change.overrides.push_back(take_away(place));
  }
  add_if_any(std::move(change), changes);
}

}  // namespace

void add_guest_changes(const Situation& at, std::vector<Change>& changes) {
  if (names_at(at.document, "/vms").empty()) return;
  add_topology_file(at, changes);
  add_p2p(at, changes);
  add_cores(at, changes);
  add_versions(at, changes);
  add_local(at, changes);
}

}  // namespace vgsim::scenario
