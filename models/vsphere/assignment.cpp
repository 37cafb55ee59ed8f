#include "models/vsphere/assignment.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "models/vsphere/device_group.hpp"
#include "topology/host_input.hpp"
#include "topology/input/name_ranges.hpp"
#include "topology/paths.hpp"

namespace vgsim::vsphere {
namespace {

using input::as_count;
using input::as_string;
using input::Diagnostics;
using input::find;
using input::Value;
using topology::report;

/// A VM while its devices are being found.
struct Draft {
  VirtualMachine vm;
  Value value;
  Value gpus;  ///< its "gpus", or an empty object
};

class Assignment {
 public:
  Assignment(const topology::Topology& topology, const topology::Catalog& catalog,
             std::vector<Assumption>& assumptions, Diagnostics& diagnostics)
      : topology_(topology),
        catalog_(catalog),
        assumptions_(assumptions),
        diagnostics_(diagnostics),
        taken_(topology.hosts.size()),
        vms_on_(topology.hosts.size()),
        nic_owner_(topology.hosts.size()) {}

  /// Reports keys of "gpus" that contradict each other, and counts the VMs of each host.
  void meet(const Draft& draft) {
    ++vms_on_[draft.vm.host];
    const auto devices = find(draft.gpus, "devices");
    const auto count = find(draft.gpus, "count");
    const auto profile = find(draft.gpus, "profile");
    if (devices && count) {
      report(diagnostics_, *count, "\"devices\" are given as well",
             "one of \"devices\" and \"count\"");
    }
    if (profile && draft.vm.mode != GpuMode::kVgpu) {
      report(diagnostics_, *profile, "a vGPU profile for GPUs in passthrough",
             "\"mode\": \"vgpu\", or no profile");
    }
  }

  void take_named(Draft& draft) {
    const auto devices = find(draft.gpus, "devices");
    if (!devices) return;
    const auto& gpus = topology_.hosts[draft.vm.host].gpus;
    for (const Value& device : devices->elements()) {
      const auto index = index_of(draft.vm.host, as_string(device));
      if (!index) {
        report(diagnostics_, device, fmt::format("no GPU \"{}\" in the host", as_string(device)),
               fmt::format("gpuN with N below {}", gpus.size()));
      } else if (!take(draft, *index, std::nullopt)) {
        report(diagnostics_, device, fmt::format("\"{}\" is given twice", as_string(device)),
               "a GPU that no VM has yet");
      }
    }
    check_own_profile(draft);
  }

  void take_groups(Draft& draft) {
    const auto groups = find(draft.gpus, "device_groups");
    if (!groups) return;
    if (draft.vm.mode != GpuMode::kVgpu) {
      return report(diagnostics_, *groups, "GPU device groups are for vGPU",
                    "\"mode\": \"vgpu\", or \"devices\"");
    }
    std::size_t number = 0;
    for (const Value& text : groups->elements()) {
      const DeviceGroup group = *parse_device_group(as_string(text));
      const auto members = find_group(draft.vm.host, group);
      if (members.empty()) {
        report(diagnostics_, text,
               fmt::format("host {} has no {} free GPUs {}for this group",
                           topology_.hosts[draft.vm.host].name, group.gpus,
                           group.nvlink ? "joined by NVLink " : ""));
        continue;
      }
      for (const std::size_t gpu : members) {
        check_profile(draft, gpu, group.profile, text);
        take(draft, gpu, group.nvlink ? std::optional(number) : std::nullopt);
      }
      ++number;
    }
  }

  void take_counted(Draft& draft) {
    const auto count = find(draft.gpus, "count");
    if (!count) return;
    auto wanted = static_cast<std::size_t>(as_count(*count));
    for (std::size_t gpu = 0; gpu < gpus_of(draft) && wanted > 0; ++gpu) {
      if (take(draft, gpu, std::nullopt)) --wanted;
    }
    if (wanted > 0) {
      report(diagnostics_, *count,
             fmt::format("host {} lacks {} of these GPUs", topology_.hosts[draft.vm.host].name,
                         wanted));
    }
    check_own_profile(draft);
  }

  void take_rest(Draft& draft) {
    const bool asked = find(draft.gpus, "devices") || find(draft.gpus, "device_groups") ||
                       find(draft.gpus, "count");
    if (!asked) {
      for (std::size_t gpu = 0; gpu < gpus_of(draft); ++gpu) take(draft, gpu, std::nullopt);
      check_own_profile(draft);
    }
    if (draft.vm.gpus.empty() && !diagnostics_.has_errors()) {
      report(diagnostics_, draft.value, fmt::format("no GPU is left for VM \"{}\"", draft.vm.name));
    }
  }

  void take_nics(Draft& draft) {
    const auto& nics = topology_.hosts[draft.vm.host].nics;
    const auto wanted = find(draft.value, "nics");
    if (!wanted) return take_all_nics(draft);
    for (const auto& [name, key, mode] : wanted->members()) {
      const auto found = std::find_if(nics.begin(), nics.end(),
                                      [&, n = name](const auto& nic) { return nic.name == n; });
      if (found == nics.end()) {
        std::vector<std::string> known;
        for (const auto& nic : nics) known.push_back(nic.name);
        diagnostics_.error("E411", key, mode.pointer(),
                           fmt::format("no NIC \"{}\" in the host", name), "a NIC of the host",
                           input::suggest(name, known));
        continue;
      }
      const auto nic = static_cast<std::size_t>(found - nics.begin());
      draft.vm.nics.push_back({nic, nic_mode(as_string(mode))});
      claim(draft, nic, mode);
    }
    std::sort(draft.vm.nics.begin(), draft.vm.nics.end(),
              [](const VmNic& a, const VmNic& b) { return a.host_nic < b.host_nic; });
  }

 private:
  void take_all_nics(Draft& draft) {
    const std::size_t count = topology_.hosts[draft.vm.host].nics.size();
    const bool shared = vms_on_[draft.vm.host] > 1;
    for (std::size_t n = 0; n < count; ++n) {
      draft.vm.nics.push_back({n, shared ? NicMode::kSriov : NicMode::kPassthrough});
    }
    if (count > 0) {
      assumptions_.push_back({draft.vm.name, shared ? "NICs not given, all of its host by SR-IOV"
                                                    : "NICs not given, all of its host in "
                                                      "passthrough"});
    }
  }

  /// A NIC in passthrough is nobody else's.
  void claim(const Draft& draft, std::size_t nic, const Value& mode) {
    const bool alone = draft.vm.nics.back().mode == NicMode::kPassthrough;
    const auto [it, is_new] =
        nic_owner_[draft.vm.host].try_emplace(nic, Owner{draft.vm.name, alone});
    if (!is_new && (alone || it->second.alone)) {
      report(diagnostics_, mode, fmt::format("VM \"{}\" has this NIC already", it->second.vm),
             "\"sriov\" for both VMs, or another NIC");
    }
    if (!alone) {
      assumptions_.push_back({draft.vm.name, fmt::format("what {} costs besides its link is not "
                                                         "modelled",
                                                         as_string(mode))});
    }
  }

  static NicMode nic_mode(const std::string& word) {
    if (word == "sriov") return NicMode::kSriov;
    if (word == "pvrdma") return NicMode::kPvrdma;
    return word == "vmxnet3" ? NicMode::kVmxnet3 : NicMode::kPassthrough;
  }

  std::size_t gpus_of(const Draft& draft) const {
    return topology_.hosts[draft.vm.host].gpus.size();
  }

  std::optional<std::size_t> index_of(std::size_t host, const std::string& name) const {
    const auto& gpus = topology_.hosts[host].gpus;
    for (std::size_t i = 0; i < gpus.size(); ++i) {
      if (name == fmt::format("gpu{}", i)) return i;
    }
    return std::nullopt;
  }

  bool take(Draft& draft, std::size_t gpu, std::optional<std::size_t> group) {
    if (!taken_[draft.vm.host].insert(gpu).second) return false;
    draft.vm.gpus.push_back(gpu);
    draft.vm.nvlink_group.push_back(group);
    return true;
  }

  /// The first free GPUs, in order, that make up the group; for NVLink all pairs must be joined.
  std::vector<std::size_t> find_group(std::size_t host, const DeviceGroup& group) const {
    const auto& gpus = topology_.hosts[host].gpus;
    for (std::size_t first = 0; first < gpus.size(); ++first) {
      std::vector<std::size_t> members;
      for (std::size_t gpu = first; gpu < gpus.size() && members.size() < group.gpus; ++gpu) {
        if (taken_[host].contains(gpu)) continue;
        if (!group.nvlink || joins(host, members, gpu)) members.push_back(gpu);
      }
      if (members.size() == group.gpus) return members;
    }
    return {};
  }

  bool joins(std::size_t host, const std::vector<std::size_t>& members, std::size_t gpu) const {
    const auto& gpus = topology_.hosts[host].gpus;
    const topology::HostPaths paths(topology_, gpus[gpu], topology::Travel::kAny);
    return std::all_of(members.begin(), members.end(), [&](std::size_t member) {
      return paths.class_to(gpus[member]) == topology::PathClass::kNvl;
    });
  }

  void check_own_profile(const Draft& draft) {
    if (draft.vm.mode != GpuMode::kVgpu || diagnostics_.has_errors()) return;
    if (draft.vm.gpus.empty()) return;
    const auto profile = find(draft.gpus, "profile");
    if (!profile) {
      return report(diagnostics_, draft.gpus, "a vGPU needs a profile or a device group",
                    "\"profile\": \"grid_a100d-80c\" or \"device_groups\"");
    }
    for (const std::size_t gpu : draft.vm.gpus) {
      check_profile(draft, gpu, as_string(*profile), *profile);
    }
  }

  void check_profile(const Draft& draft, std::size_t gpu, const std::string& profile,
                     const Value& at) {
    const auto framebuffer = time_sliced_framebuffer_gb(profile);
    if (!framebuffer) {
      return report(diagnostics_, at,
                    fmt::format("\"{}\" is not a time-sliced vGPU profile", profile),
                    "a profile such as \"grid_a100d-80c\"; MIG-backed ones are not simulated");
    }
    const auto& host = topology_.hosts[draft.vm.host];
    const auto model = catalog_.gpus.find(topology_.node(host.gpus[gpu]).model);
    if (model == catalog_.gpus.end()) return;
    const std::int64_t memory = model->second.memory.value.count() >> 30;
    if (*framebuffer > memory) {
      report(diagnostics_, at,
             fmt::format("profile \"{}\" is larger than {}", profile, model->second.name));
    } else if (*framebuffer < memory) {
      report(diagnostics_, at,
             fmt::format("profile \"{}\" is a fraction of {}", profile, model->second.name),
             fmt::format("the full-framebuffer profile of {} GB; fractions are not simulated",
                         memory));
    }
  }

  const topology::Topology& topology_;
  const topology::Catalog& catalog_;
  std::vector<Assumption>& assumptions_;
  Diagnostics& diagnostics_;
  struct Owner {
    std::string vm;
    bool alone = false;
  };

  std::vector<std::set<std::size_t>> taken_;             ///< GPUs, by host
  std::vector<std::size_t> vms_on_;                      ///< by host
  std::vector<std::map<std::size_t, Owner>> nic_owner_;  ///< by host and NIC
};

Draft read_draft(const input::Member& member, std::size_t host) {
  Draft draft{{}, member.value, find(member.value, "gpus").value_or(Value::make_object({}))};
  draft.vm.name = member.name;
  draft.vm.host = host;
  const auto mode = find(draft.gpus, "mode");
  if (mode && as_string(*mode) == "vgpu") draft.vm.mode = GpuMode::kVgpu;
  if (const auto allowed = find(member.value, "allow_p2p")) {
    draft.vm.allow_p2p = input::as_bool(*allowed);
  }
  const auto guest = find(member.value, "guest_topology");
  const std::string word = guest ? as_string(*guest) : "flat";
  draft.vm.guest_topology = word == "topo_file" ? GuestTopology::kTopoFile
                            : word == "vnuma"   ? GuestTopology::kVnuma
                                                : GuestTopology::kFlat;
  return draft;
}

void assume_defaults(const Draft& draft, std::vector<Assumption>& assumptions) {
  const auto assume = [&](const char* text) { assumptions.push_back({draft.vm.name, text}); };
  if (!find(draft.value, "gpus")) assume("GPUs not given, all of its host in passthrough");
  if (!find(draft.value, "guest_topology")) assume("guest topology not given, flat");
  if (!find(draft.value, "allow_p2p") && draft.vm.mode == GpuMode::kPassthrough) {
    assume("pciPassthru.allowP2P and RelaxACSforP2P taken as set");
  }
}

}  // namespace

std::vector<VirtualMachine> assign_devices(const topology::Topology& topology,
                                           const topology::Catalog& catalog,
                                           const std::map<std::string, std::size_t>& host_index,
                                           const std::vector<input::Member>& vms,
                                           std::vector<Assumption>& assumptions,
                                           Diagnostics& diagnostics) {
  std::vector<Draft> drafts;
  for (const input::Member& member : vms) {
    const Value host = *find(member.value, "host");
    const auto* index = topology::look_up(host_index, host, "host", diagnostics);
    if (index != nullptr) drafts.push_back(read_draft(member, *index));
  }
  std::stable_sort(drafts.begin(), drafts.end(), [](const Draft& a, const Draft& b) {
    return input::natural_less(a.vm.name, b.vm.name);
  });
  Assignment assignment(topology, catalog, assumptions, diagnostics);
  for (const Draft& draft : drafts) assignment.meet(draft);
  for (Draft& draft : drafts) assignment.take_named(draft);
  for (Draft& draft : drafts) assignment.take_groups(draft);
  for (Draft& draft : drafts) assignment.take_counted(draft);
  for (Draft& draft : drafts) assignment.take_rest(draft);
  for (Draft& draft : drafts) assignment.take_nics(draft);
  std::vector<VirtualMachine> machines;
  for (Draft& draft : drafts) {
    assume_defaults(draft, assumptions);
    machines.push_back(std::move(draft.vm));
  }
  return machines;
}

}  // namespace vgsim::vsphere
