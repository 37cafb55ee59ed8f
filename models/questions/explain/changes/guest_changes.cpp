#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "models/questions/explain/changes/change_context.hpp"
#include "models/scenario/build/capacities.hpp"
#include "models/scenario/read/library.hpp"
#include "models/vsphere/numa_placement.hpp"
#include "topology/input/name_ranges.hpp"

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

/// The NUMA nodes of a VM's GPUs, ascending.
std::set<std::size_t> nodes_of_gpus(const topology::Topology& topology,
                                    const vsphere::VirtualMachine& vm) {
  const topology::Host& host = topology.hosts[vm.host];
  std::set<std::size_t> nodes;
  for (const std::size_t gpu : vm.gpus) {
    nodes.insert(vsphere::node_of_device(topology, host, host.gpus[gpu]));
  }
  return nodes;
}

std::set<std::size_t> nodes_of_memory(const vsphere::VirtualMachine& vm) {
  std::set<std::size_t> nodes;
  for (const auto& part : vm.numa.memory) nodes.insert(part.node);
  return nodes;
}

/// VMs whose memory and vCPUs are not where their GPUs are.
void add_numa_nodes(const ChangeContext& at, std::vector<Change>& changes) {
  const Cluster& cluster = *at.prepared.layouts.front().placement.cluster;
  Change bound{"numa-node",
               "numa.nodeAffinity with the NUMA node of its GPUs",
               {},
               {"the VM powered off; free cores and memory on that node [vm-on-other-numa-node]"},
               {},
               false};
  Change threads{"prefer-ht",
                 "numa.vcpu.preferHT, so that the VM fits the NUMA node of its GPUs",
                 {},
                 {"cores per virtual socket as on the node; threads instead of cores "
                  "[vm-wider-than-numa]"},
                 {},
                 false};
  std::map<std::string, const vsphere::VirtualMachine*> kinds;
  for (const Machine& machine : cluster.machines) {
    kinds[machine.name] = &cluster.kinds[machine.kind];
  }
  for (const auto* vm : vms_of_job(at)) {
    const vsphere::VirtualMachine& kind = *kinds.at(vm->name);
    const std::set<std::size_t> gpus = nodes_of_gpus(cluster.topology, kind);
    const std::set<std::size_t> memory = nodes_of_memory(kind);
    if (memory.empty() || memory == gpus) continue;
    const auto cores = cluster.topology.hosts[kind.host].numa_cores;
    const std::int64_t vcpus = kind.settings.vcpus.value_or(0);
    const std::int64_t there = cores.value_or(vcpus) * static_cast<std::int64_t>(gpus.size());
    const std::string affinity = place_of(kVms, *vm, "/advanced/numa.nodeAffinity");
    if (vcpus <= there) {
      bound.overrides.push_back(set_text(affinity, fmt::format("{}", fmt::join(gpus, ","))));
    } else if (vcpus <= 2 * there && !kind.settings.advanced.prefer_ht) {
      threads.overrides.push_back(
          set_text(place_of(kVms, *vm, "/advanced/numa.vcpu.preferHT"), "TRUE"));
      threads.overrides.push_back(set_text(affinity, fmt::format("{}", fmt::join(gpus, ","))));
    }
  }
  add_if_any(std::move(bound), changes);
  add_if_any(std::move(threads), changes);
}

/// Whether the host of a VM has cores for more vCPUs beside its VMs and neighbours.
bool has_cores_for(const ChangeContext& at, const std::string& vm, std::int64_t more) {
  const Placement& placement = at.prepared.layouts.front().placement;
  const Cluster& cluster = *placement.cluster;
  const auto own = std::find_if(cluster.machines.begin(), cluster.machines.end(),
                                [&](const Machine& machine) { return machine.name == vm; });
  const std::size_t kind = cluster.hosts[own->host].kind;
  const auto& cores = cluster.inventory[kind].cores;
  if (!cores) return true;
  double taken = static_cast<double>(more);
  for (const Machine& machine : cluster.machines) {
    if (machine.host != own->host) continue;
    taken += static_cast<double>(cluster.kinds[machine.kind].settings.vcpus.value_or(0));
  }
  for (const auto& neighbour : layout_of(at).neighbours) {
    if (!input::matches_pattern(cluster.hosts[own->host].name, *neighbour->host)) continue;
    taken +=
        cores_of(*neighbour, cluster.inventory[kind].settings.dpu_offload, at.library.parameters);
  }
  return taken <= static_cast<double>(*cores);
}

void add_cores(const ChangeContext& at, std::vector<Change>& changes) {
  Change change{"more-vcpus", "twice as many vCPUs",
                {},           {"free cores of the same NUMA nodes [vm-wider-than-numa]"},
                {},           false};
  for (const auto* vm : vms_of_job(at)) {
    const auto& now = vm->value->spec.settings.vcpus;
    if (!now || !has_cores_for(at, vm->name, *now)) continue;
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
  add_numa_nodes(at, changes);
  add_cores(at, changes);
  add_versions(at, changes);
  add_local(at, changes);
}

}  // namespace vgsim::scenario
