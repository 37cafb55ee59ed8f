#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "models/questions/explain/changes/change_context.hpp"
#include "models/scenario/read/library.hpp"
#include "models/vsphere/modes/gpu_modes.hpp"
#include "models/vsphere/modes/nic_modes.hpp"
#include "models/vsphere/spec/device_group.hpp"
#include "topology/catalog/part_fit.hpp"
#include "topology/hosts/host_parts.hpp"

namespace vgsim::scenario {
namespace {

/// NVLink bridges over pairs of neighbouring PCIe cards.
void add_bridges(const ChangeContext& at, std::vector<Change>& changes) {
  Change change{"nvlink-bridges",
                "NVLink bridges over pairs of GPUs",
                {},
                {"a bridge for each link connector of the cards"},
                {},
                false};
  for (const auto& host : layout_of(at).hosts) {
    const auto& now = host.value->spec.nvlink_bridges;
    if (now && !(*now)->empty()) continue;
    const auto parts = topology::parts_of(host.value->spec, *at.library.catalog);
    if (!parts || parts->gpu == nullptr) continue;
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
    for (const auto& [a, b] :
         topology::possible_bridge_pairs(parts->server, *parts->gpu, parts->gpus)) {
      pairs.emplace_back(a, b);
    }
    if (pairs.empty()) continue;
    change.parts["nvlink-bridge"] += static_cast<double>(pairs.size());
    change.overrides.push_back(set_pairs(place_of(kHosts, host, "/nvlink_bridges"), pairs));
  }
  add_if_any(std::move(change), changes);
}

/// The profile of a VM's vGPUs, single or in device groups, and their number.
struct Vgpus {
  std::string profile;
  std::size_t count = 0;
};

Vgpus vgpus_of(const vsphere::GpusSpec& said, const LayoutResult& result) {
  Vgpus vgpus;
  if (said.profile) vgpus.profile = **said.profile;
  if (said.count) vgpus.count = static_cast<std::size_t>(**said.count);
  if (said.device_groups) {
    vgpus.count = 0;
    for (const auto& group : **said.device_groups) {
      vgpus.profile = group->profile;
      vgpus.count += group->gpus;
    }
  }
  if (vgpus.count == 0 && result.machines > 0) vgpus.count = result.ranks / result.machines;
  return vgpus;
}

/// VMs of the job with vGPUs.
std::vector<const input::Named<Shared<LayoutVm>>*> vms_with_vgpus(const ChangeContext& at) {
  auto vms = vms_of_job(at);
  std::erase_if(vms, [](const auto* vm) {
    const auto& gpus = vm->value->spec.gpus;
    return !gpus || !gpus->mode->takes_profiles;
  });
  return vms;
}

/// Device groups of `size` with NVLink for all vGPUs of a VM.
void add_groups(const ChangeContext& at, std::size_t size, std::vector<Change>& changes) {
  Change change{"device-group",
                size == 0 ? "one device group with NVLink for all vGPUs of a VM"
                          : fmt::format("device groups of {} vGPUs with NVLink", size),
                {},
                {"vSphere 8.0 or later, 8.0U1 behind NVSwitches [device-group-version]"},
                {},
                false};
  for (const auto* vm : vms_with_vgpus(at)) {
    const std::string own = place_of(kVms, *vm, "/gpus");
    const Vgpus vgpus = vgpus_of(*vm->value->spec.gpus, at.result);
    const std::size_t each = size == 0 ? vgpus.count : size;
    if (vgpus.profile.empty() || each < 2 || vgpus.count % each != 0) continue;
    const std::vector<std::string> groups(
        vgpus.count / each, to_string(vsphere::DeviceGroup{each, vgpus.profile, true, false}));
    change.overrides.push_back(take_away(own + "/profile"));
    change.overrides.push_back(take_away(own + "/count"));
    change.overrides.push_back(set_texts(own + "/device_groups", groups));
  }
  add_if_any(std::move(change), changes);
}

/// Another mode for the GPUs of VMs with vGPUs.
void add_mode(const ChangeContext& at, const vsphere::GpuMode& mode, std::vector<Change>& changes) {
  Change change{mode.key, mode.change, {}, {mode.change_needs}, {}, false};
  for (const auto* vm : vms_with_vgpus(at)) {
    const std::string own = place_of(kVms, *vm, "/gpus");
    const Vgpus vgpus = vgpus_of(*vm->value->spec.gpus, at.result);
    change.overrides.push_back(set_text(own + "/mode", mode.key));
    change.overrides.push_back(take_away(own + "/profile"));
    change.overrides.push_back(take_away(own + "/device_groups"));
    if (vgpus.count > 0) {
      change.overrides.push_back(set_number(own + "/count", static_cast<double>(vgpus.count)));
    }
  }
  add_if_any(std::move(change), changes);
}

/// All devices of the VMs of one host, in the first VM.
class OneVm {
 public:
  using Vm = input::Named<Shared<LayoutVm>>;

  OneVm(std::vector<const Vm*> vms, const LayoutResult& result)
      : vms_(std::move(vms)), own_(place_of(kVms, *vms_.front(), "")), result_(result) {}

  /// Nothing if the VMs differ in more than their names, or have no number of GPUs.
  std::vector<Override> overrides() && {
    const vsphere::GpusSpec& first = *vms_.front()->value->spec.gpus;
    std::size_t gpus = 0;
    std::vector<std::string> devices;
    for (const Vm* vm : vms_) {
      const vsphere::GpusSpec& own = *vm->value->spec.gpus;
      const Vgpus vgpus = vgpus_of(own, result_);
      if (own.mode != first.mode || vgpus.count == 0) return {};
      if (vgpus.profile != vgpus_of(first, result_).profile) return {};
      gpus += vgpus.count;
      if (own.devices) {
        for (const auto& device : *own.devices) devices.push_back(*device);
      }
    }
    const std::string place = own_ + "/gpus";
    if (!devices.empty()) {
      overrides_.push_back(set_texts(place + "/devices", devices));
    } else if (first.device_groups) {
      overrides_.push_back(set_texts(
          place + "/device_groups",
          {to_string(vsphere::DeviceGroup{gpus, vgpus_of(first, result_).profile, true, false})}));
    } else {
      overrides_.push_back(set_number(place + "/count", static_cast<double>(gpus)));
    }
    add_up("/vcpus", [](const vsphere::VmSettings& said) { return said.vcpus; });
    for (std::size_t i = 1; i < vms_.size(); ++i) take_over(*vms_[i]);
    return std::move(overrides_);
  }

 private:
  template <class Of>
  void add_up(const char* key, const Of& of) {
    double sum = 0;
    for (const Vm* vm : vms_) {
      const auto& said = of(vm->value->spec.settings);
      if (!said) return;
      sum += static_cast<double>(*said);
    }
    overrides_.push_back(set_number(own_ + key, sum));
  }

  void take_over(const Vm& other) {
    if (const auto& nics = other.value->spec.nics) {
      for (const auto& nic : *nics) {
        Override change = set_text(own_ + "/nics/" + nic.name, nic.value->key);
        change.may_make = true;
        overrides_.push_back(std::move(change));
      }
    }
    overrides_.push_back(take_away(place_of(kVms, other, "")));
  }

  std::vector<const Vm*> vms_;
  std::string own_;
  const LayoutResult& result_;
  std::vector<Override> overrides_;
};

/// NVLink and peer-to-peer work only within a VM.
void add_one_vm(const ChangeContext& at, std::vector<Change>& changes) {
  std::map<std::string, std::vector<const OneVm::Vm*>> by_host;
  for (const auto* vm : vms_of_job(at)) {
    const vsphere::VmSpec& spec = vm->value->spec;
    if (spec.gpus && spec.host) by_host[**spec.host].push_back(vm);
  }
  Change change{"one-vm", "all GPUs of the job on a host in one VM",
                {},       {"a VM with the memory and the vCPUs of all of them"},
                {},       false};
  for (auto& [host, vms] : by_host) {
    if (vms.size() < 2) continue;
    auto overrides = OneVm(std::move(vms), at.result).overrides();
    change.overrides.insert(change.overrides.end(), overrides.begin(), overrides.end());
  }
  add_if_any(std::move(change), changes);
}

/// Whether the VMs of a host can use another GPU model: profiles are named after the GPU.
bool keeps_profiles(const ChangeContext& at, const std::string& host, const std::string& gpu) {
  const Cluster& cluster = *at.prepared.layouts.front().placement.cluster;
  const vsphere::Board* board = at.library.vsphere->profiles.board_of(gpu);
  return std::ranges::none_of(cluster.machines, [&](const Machine& machine) {
    if (cluster.hosts[machine.host].name != host) return false;
    return std::ranges::any_of(cluster.kinds[machine.kind].profiles, [&](const auto* profile) {
      return profile != nullptr && (board == nullptr || !board->profiles.contains(profile->name));
    });
  });
}

/// Newer GPUs that fit into the slots and that the VMs can use.
void add_faster_gpus(const ChangeContext& at, std::vector<Change>& changes) {
  const auto& gpus = at.library.catalog->gpus;
  std::map<std::string, Change> by_model;
  std::set<std::string> impossible;
  for (const auto& host : layout_of(at).hosts) {
    const auto parts = topology::parts_of(host.value->spec, *at.library.catalog);
    if (!parts || parts->gpu == nullptr || parts->gpu->successor.empty()) continue;
    const std::string& now = parts->gpu->id;
    const topology::GpuModel& next = gpus.at(parts->gpu->successor);
    if (topology::incompatibility(next, parts->server) || !keeps_profiles(at, host.name, next.id)) {
      impossible.insert(now);
      continue;
    }
    Change& change = by_model[now];
    change.id = "faster-gpus";
    change.title = fmt::format("{} instead of {}", next.id, now);
    change.needs = {"power and cooling for the new GPUs"};
    change.overrides.push_back(
        set_text(place_of(kHosts, host, "/gpus"), fmt::format("{} x {}", parts->gpus, next.id)));
    if (host.value->spec.nvlink_bridges && !topology::supports_nvlink_bridges(next)) {
      change.overrides.push_back(take_away(place_of(kHosts, host, "/nvlink_bridges")));
    }
    change.parts[next.id] += static_cast<double>(parts->gpus);
  }
  for (auto& [model, change] : by_model) {
    if (!impossible.contains(model)) changes.push_back(std::move(change));
  }
}

/// Schedulers of time-sliced vGPUs, for VMs that share GPUs.
void add_schedulers(const ChangeContext& at, std::vector<Change>& changes) {
  const bool shares =
      at.result.training &&
      std::any_of(at.result.training->losses.begin(), at.result.training->losses.end(),
                  [](const training::ComputeLoss& loss) {
                    return loss.mechanism.find("slice") != std::string::npos;
                  });
  if (!shares) return;
  for (const char* scheduler : {"best_effort", "equal_share"}) {
    changes.push_back(
        {"scheduler",
         fmt::format("the {} vGPU scheduler", scheduler),
         {set_text("/hosts/*/vgpu/scheduler", scheduler)},
         {"the registry key RmPVMRL for all vGPUs of a host, and a restart of the host"},
         {},
         false});
  }
  changes.push_back({"time-slice",
                     "time slices of 1 ms",
                     {set_text("/hosts/*/vgpu/time_slice", "1 ms")},
                     {"more switches between VMs"},
                     {},
                     false});
}

}  // namespace

void add_gpu_changes(const ChangeContext& at, std::vector<Change>& changes) {
  add_bridges(at, changes);
  add_groups(at, 0, changes);
  add_groups(at, 2, changes);
  for (const vsphere::GpuMode& mode : vsphere::gpu_modes()) {
    if (mode.change != nullptr) add_mode(at, mode, changes);
  }
  add_one_vm(at, changes);
  add_faster_gpus(at, changes);
  add_schedulers(at, changes);
}

}  // namespace vgsim::scenario
