#include "models/vsphere/assignment.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "models/vsphere/facts/settings.hpp"
#include "models/vsphere/gpu_request.hpp"
#include "models/vsphere/gpu_sharing.hpp"
#include "topology/input/name_ranges.hpp"
#include "topology/input/suggest.hpp"
#include "topology/look_up.hpp"

namespace vgsim::vsphere {
namespace {

using input::At;
using input::Diagnostics;
using topology::report;

/// A VM while its devices are being found.
struct Draft {
  VirtualMachine vm;
  const VmSpec* spec = nullptr;
  GpuRequest request;
};

class Assignment {
 public:
  Assignment(const topology::Topology& topology, const Facts& facts, std::string_view version,
             const std::vector<HostInventory>& hosts, std::vector<Assumption>& assumptions,
             Findings& findings, Diagnostics& diagnostics)
      : topology_(topology),
        assumptions_(assumptions),
        findings_(findings),
        diagnostics_(diagnostics),
        vms_on_(topology.hosts.size()),
        nic_owner_(topology.hosts.size()) {
    for (const HostInventory& host : hosts) hosts_.emplace_back(host, facts, version);
  }

  /// Counts the VMs of each host.
  void meet(const Draft& draft) { ++vms_on_[draft.vm.host]; }

  void take_gpus(Draft& draft, Serving kind) {
    std::vector<TakenGpu> taken;
    std::vector<Refusal> refusals;
    serve(draft.request, kind, hosts_[draft.vm.host], taken, refusals, diagnostics_);
    for (const TakenGpu& gpu : taken) {
      draft.vm.gpus.push_back(gpu.gpu);
      draft.vm.nvlink_group.push_back(gpu.group);
      draft.vm.profiles.push_back(gpu.profile);
    }
    for (const Refusal& refusal : refusals) {
      findings_.add(refusal.rule, draft.vm.name, refusal.text);
    }
  }

  void take_nics(Draft& draft) {
    const auto& nics = topology_.hosts[draft.vm.host].nics;
    if (!draft.spec->nics) return take_all_nics(draft);
    for (const input::Named<const NicMode*>& mode : *draft.spec->nics) {
      const auto found = std::find_if(nics.begin(), nics.end(),
                                      [&](const auto& nic) { return nic.name == mode.name; });
      if (found == nics.end()) {
        std::vector<std::string> known;
        for (const auto& nic : nics) known.push_back(nic.name);
        diagnostics_.error("E411", mode.key, input::to_pointer(mode.origin.path),
                           fmt::format("no NIC \"{}\" in the host", mode.name), "a NIC of the host",
                           input::suggest(mode.name, known));
        continue;
      }
      const auto nic = static_cast<std::size_t>(found - nics.begin());
      draft.vm.nics.push_back({nic, *mode, {}});
      claim(draft, nic, mode.origin);
    }
    std::sort(draft.vm.nics.begin(), draft.vm.nics.end(),
              [](const VmNic& a, const VmNic& b) { return a.host_nic < b.host_nic; });
  }

 private:
  void take_all_nics(Draft& draft) {
    const std::size_t count = topology_.hosts[draft.vm.host].nics.size();
    const NicMode& mode = nic_mode(vms_on_[draft.vm.host] > 1 ? "sriov" : "passthrough");
    for (std::size_t n = 0; n < count; ++n) draft.vm.nics.push_back({n, &mode, {}});
    if (count == 0) return;
    assumptions_.push_back(
        {draft.vm.name, fmt::format("NICs not given, all of its host {}", mode.given)});
  }

  /// A NIC in passthrough belongs to one VM only.
  void claim(const Draft& draft, std::size_t nic, const input::Origin& at) {
    const bool alone = draft.vm.nics.back().mode->is_exclusive;
    const auto [it, is_new] =
        nic_owner_[draft.vm.host].try_emplace(nic, Owner{draft.vm.name, alone});
    if (!is_new && (alone || it->second.alone)) {
      report(diagnostics_, at, fmt::format("VM \"{}\" has this NIC already", it->second.vm),
             "\"sriov\" for both VMs, or another NIC");
    }
  }

  struct Owner {
    std::string vm;
    bool alone = false;
  };

  const topology::Topology& topology_;
  std::vector<Assumption>& assumptions_;
  Findings& findings_;
  Diagnostics& diagnostics_;
  std::vector<HostAssignment> hosts_;
  std::vector<std::size_t> vms_on_;                      ///< by host
  std::vector<std::map<std::size_t, Owner>> nic_owner_;  ///< by host and NIC
};

Draft draft_of(const NamedVm& named, std::size_t host, const Profiles& profiles,
               Diagnostics& diagnostics) {
  const VmSpec& spec = *named.spec;
  Draft draft{{}, &spec, gpu_request(spec, profiles, diagnostics)};
  draft.vm.name = named.name;
  draft.vm.host = host;
  draft.vm.mode = draft.request.mode;
  draft.vm.gpus_named = draft.request.devices.has_value();
  draft.vm.settings = spec.settings;
  draft.vm.remote_client = spec.remote_client;
  draft.vm.allow_p2p = *spec.allow_p2p && !spec.settings.advanced.p2p_off;
  draft.vm.guest_topology = *spec.guest_topology;
  // CPU hot add switches vNUMA off.
  if (spec.settings.cpu_hot_add && draft.vm.guest_topology == GuestTopology::kVnuma) {
    draft.vm.guest_topology = GuestTopology::kFlat;
  }
  return draft;
}

/// Reports advanced settings that do not exist, and nodes that the host does not have; names those
/// that the simulation does not depend on.
void check_settings(const NamedVm& named, const topology::Host& host, const Settings& known,
                    std::vector<Assumption>& assumptions, Diagnostics& diagnostics) {
  const auto& given = named.spec->settings.advanced.given;
  known.check(given, diagnostics);
  const auto nodes = static_cast<std::int64_t>(host.sockets.size());
  for (const auto& each : given) {
    const Setting* setting = known.find(each.name);
    if (setting == nullptr) continue;
    if (setting->effect == SettingEffect::kNone) {
      assumptions.push_back(
          {named.name, fmt::format("{} has no effect here: {}", each.name, setting->why)});
    }
    if (setting->name != "numa.nodeAffinity") continue;
    for (const std::int64_t node : numbers_of(*each)) {
      if (node < nodes) continue;
      topology::report(diagnostics, each.origin,
                       fmt::format("{} has no NUMA node {}", host.name, node),
                       fmt::format("nodes 0 to {}", nodes - 1));
    }
  }
}

bool shares_in_time(const VirtualMachine& vm) {
  for (std::size_t g = 0; g < vm.gpus.size(); ++g) {
    const Profile* profile = time_sliced(vm, g);
    if (profile != nullptr && profile->per_gpu > 1) return true;
  }
  return false;
}

void assume_defaults(const Draft& draft, std::vector<Assumption>& assumptions) {
  const auto assume = [&](const char* text) { assumptions.push_back({draft.vm.name, text}); };
  if (!draft.spec->gpus) assume("GPUs not given, all of its host in passthrough");
  if (shares_in_time(draft.vm) && !draft.vm.settings.gpu_load) {
    assume("gpu_load not given: assumed 1, always busy for others on the same GPU");
  }
  if (!draft.spec->guest_topology.given) assume("guest topology not given, flat");
  if (!draft.spec->allow_p2p.given && draft.vm.mode->has_pcie_peers() && draft.vm.allow_p2p) {
    assume("pciPassthru.allowP2P and RelaxACSforP2P taken as set");
  }
}

}  // namespace

std::vector<VirtualMachine> assign_devices(const topology::Topology& topology, const Facts& facts,
                                           std::string_view version,
                                           const std::vector<HostInventory>& hosts,
                                           const std::map<std::string, std::size_t>& host_index,
                                           const std::vector<NamedVm>& vms,
                                           std::vector<Assumption>& assumptions, Findings& findings,
                                           Diagnostics& diagnostics) {
  std::vector<Draft> drafts;
  for (const NamedVm& named : vms) {
    const auto* index = topology::look_up(host_index, *named.spec->host, "host", diagnostics);
    if (index == nullptr) continue;
    check_settings(named, topology.hosts[*index], facts.settings, assumptions, diagnostics);
    drafts.push_back(draft_of(named, *index, facts.profiles, diagnostics));
  }
  if (diagnostics.has_errors()) return {};
  std::stable_sort(drafts.begin(), drafts.end(), [](const Draft& a, const Draft& b) {
    return input::natural_less(a.vm.name, b.vm.name);
  });
  Assignment assignment(topology, facts, version, hosts, assumptions, findings, diagnostics);
  std::set<std::int64_t> numbers;
  for (const Draft& draft : drafts) {
    assignment.meet(draft);
    numbers.insert(draft.vm.settings.power_on);
    if (draft.request.fraction_in_passthrough) {
      findings.add("fraction-in-passthrough", draft.vm.name,
                   "a vGPU profile is given, but the mode is passthrough");
    }
  }
  for (const std::int64_t number : numbers) {
    for (const Serving kind :
         {Serving::kNamed, Serving::kGroups, Serving::kCounted, Serving::kRest}) {
      for (Draft& draft : drafts) {
        if (draft.vm.settings.power_on == number) assignment.take_gpus(draft, kind);
      }
    }
  }
  for (Draft& draft : drafts) assignment.take_nics(draft);
  std::vector<VirtualMachine> machines;
  for (Draft& draft : drafts) {
    assume_defaults(draft, assumptions);
    machines.push_back(std::move(draft.vm));
  }
  return machines;
}

}  // namespace vgsim::vsphere
