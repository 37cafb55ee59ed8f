#include "tools/studio/panel/vm_choices.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/scenario/answer/manifest.hpp"
#include "models/scenario/read/library.hpp"
#include "models/vsphere/spec/device_group.hpp"
#include "tools/studio/host_count.hpp"
#include "tools/studio/panel/control_json.hpp"
#include "tools/studio/panel/slotted_hosts.hpp"
#include "tools/studio/responses.hpp"
#include "topology/input/binary_size.hpp"
#include "topology/input/name_ranges.hpp"
#include "topology/input/units/unit_strings.hpp"

// Each host that has VMs is read as what its VMs have together: GPUs, vCPUs, memory and NICs. A
// choice gives each of n VMs an equal part: the VMs that are there get it by their pointers, others
// are copies of the first one with the next names, or removed.

namespace vgsim::studio {
namespace {

using input::Member;
using input::Value;
using nlohmann::ordered_json;

constexpr std::size_t kMostHosts = 64;
constexpr std::size_t kMostNewVms = 128;

/// A host, and what its VMs have together.
struct SharedHost {
  std::vector<std::string> vms;
  ordered_json vm;  ///< the first one
  bool whole_gpus = true;
  std::int64_t gpus = 0;   ///< of all its VMs; of parts of GPUs: how many VMs fit
  std::int64_t vcpus = 0;  ///< 0: by default
  Bytes memory{};          ///< 0: by default
  std::vector<std::string> nics;
  std::vector<std::string> kinds;  ///< of the NICs
  bool shares_nics = false;        ///< between VMs
};

/// What remains of VMs that share a host alike: all but their parts of it.
ordered_json without_parts(ordered_json vm) {
  for (const char* key : {"vcpus", "memory", "nics", "host"}) vm.erase(key);
  if (vm.contains("gpus") && vm["gpus"].is_object()) {
    for (const char* key : {"devices", "count", "device_groups", "profile"}) vm["gpus"].erase(key);
  }
  return vm;
}

/// The profile of its vGPUs or of its first device group; empty without one.
std::string profile_of(const ordered_json& vm) {
  const ordered_json gpus = vm.value("gpus", ordered_json::object());
  if (!gpus.contains("device_groups")) return gpus.value("profile", std::string());
  const auto group = vsphere::parse_device_group(gpus["device_groups"].front().get<std::string>());
  return group ? group->profile : std::string();
}

/// The whole GPUs of a VM on a host with that many.
std::int64_t gpus_of_vm(const ordered_json& vm, std::int64_t all) {
  const ordered_json gpus = vm.value("gpus", ordered_json::object());
  if (gpus.contains("device_groups")) {
    std::int64_t count = gpus.contains("profile") ? gpus.value("count", std::int64_t{1}) : 0;
    for (const ordered_json& name : gpus["device_groups"]) {
      const auto group = vsphere::parse_device_group(name.get<std::string>());
      count += group ? static_cast<std::int64_t>(group->gpus) : 0;
    }
    return count;
  }
  if (gpus.contains("devices")) return static_cast<std::int64_t>(gpus["devices"].size());
  return gpus.value("count", all);
}

void add_nics(const ordered_json& vm, const Value& host, SharedHost& shared) {
  ordered_json nics = ordered_json::object();
  if (vm.contains("nics")) {
    nics = vm["nics"];
  } else if (const Member* own = host.member("nics"); own != nullptr && own->value.is_object()) {
    for (const Member& nic : own->value.members()) nics[nic.name] = "passthrough";
  }
  for (const auto& [name, kind] : nics.items()) {
    if (name.starts_with('$')) continue;
    if (std::ranges::find(shared.nics, name) != shared.nics.end()) {
      shared.shares_nics = true;
      continue;
    }
    shared.nics.push_back(name);
    shared.kinds.push_back(kind.get<std::string>());
  }
}

/// Nothing if the VMs differ, or a value cannot be divided.
std::optional<SharedHost> shared_host(const Value& scenario, const Member& host,
                                      const std::vector<const Member*>& vms,
                                      const scenario::Library& library) {
  SharedHost shared;
  const HostGpus gpus = gpus_of(scenario, host.name, slotted_hosts(scenario, host.name, library));
  if (gpus.count == 0) return std::nullopt;
  shared.vm = scenario::to_ordered_json(vms.front()->value);
  const std::string profile = profile_of(shared.vm);
  if (const vsphere::Profile* known = library.vsphere->profiles.find(profile)) {
    shared.whole_gpus = known->is_whole();
    const std::int64_t each = shared.vm["gpus"].value("count", std::int64_t{1});
    shared.gpus = shared.whole_gpus ? 0 : gpus.count * known->per_gpu / each;
  }
  for (const Member* each : vms) {
    const ordered_json vm = scenario::to_ordered_json(each->value);
    if (without_parts(vm) != without_parts(shared.vm) || profile_of(vm) != profile ||
        vm.value("gpus", ordered_json::object()).contains("profiles")) {
      return std::nullopt;
    }
    shared.vms.push_back(each->name);
    if (shared.whole_gpus) shared.gpus += gpus_of_vm(vm, gpus.count);
    shared.vcpus += vm.value("vcpus", std::int64_t{0});
    if (vm.contains("memory")) {
      const auto memory = input::parse_bytes(vm["memory"].get<std::string>());
      if (!memory) return std::nullopt;
      shared.memory += *memory;
    }
    add_nics(vm, host.value, shared);
  }
  return shared;
}

/// Whether the VM is one of the job's.
bool is_in(const Value& job, const std::string& vm) {
  const Member* vms = job.member("vms");
  if (vms == nullptr) return true;
  const auto matches = [&](const Value& names) {
    return names.is_string() && input::matches_pattern(vm, names.string());
  };
  if (!vms->value.is_array()) return matches(vms->value);
  return std::ranges::any_of(vms->value.elements(), matches);
}

std::vector<SharedHost> shared_hosts(const Value& scenario, const scenario::Library& library,
                                     const std::string& only) {
  std::vector<SharedHost> found;
  const Member* hosts = scenario.member("hosts");
  const Member* vms = scenario.member("vms");
  const Member* job = scenario.member("job");
  if (hosts == nullptr || vms == nullptr || job == nullptr || !vms->value.is_object() ||
      !hosts->value.is_object() || hosts->value.members().size() > kMostHosts) {
    return found;
  }
  std::size_t placed = 0;
  for (const Member& host : hosts->value.members()) {
    std::vector<const Member*> own;
    for (const Member& vm : vms->value.members()) {
      if (member_text(vm.value, "host") == host.name) own.push_back(&vm);
    }
    placed += own.size();
    if (own.empty() || (!only.empty() && only != host.name)) continue;
    auto shared = shared_host(scenario, host, own, library);
    if (!shared) return {};
    const bool all_train =
        std::ranges::all_of(own, [&](const Member* vm) { return is_in(job->value, vm->name); });
    if (shared->whole_gpus && !all_train) return {};
    found.push_back(*std::move(shared));
  }
  return placed == vms->value.members().size() ? found : std::vector<SharedHost>{};
}

/// The GPUs of one of `count` VMs.
ordered_json divided_gpus(const SharedHost& host, std::int64_t count) {
  ordered_json gpus = host.vm.value("gpus", ordered_json{{"mode", "passthrough"}});
  const std::int64_t each = host.gpus / count;
  gpus.erase("devices");
  std::string profile = gpus.value("profile", std::string());
  std::optional<vsphere::DeviceGroup> group;
  if (gpus.contains("device_groups")) {
    group = vsphere::parse_device_group(gpus["device_groups"].front().get<std::string>());
    gpus.erase("device_groups");
    gpus.erase("profile");
    profile = group->profile;
  }
  if (group && (each == 2 || each == 4 || each == 8)) {
    group->gpus = static_cast<std::size_t>(each);
    gpus["device_groups"] = ordered_json::array({to_string(*group)});
    gpus.erase("count");
    return gpus;
  }
  if (!profile.empty()) gpus["profile"] = profile;
  gpus["count"] = each;
  return gpus;
}

/// The NICs of VM `n` of `count`.
ordered_json divided_nics(const SharedHost& host, std::size_t n, std::size_t count) {
  ordered_json nics = ordered_json::object();
  const std::size_t all = host.nics.size();
  const bool shared = all < count;
  const std::size_t end = shared ? n * all / count + 1 : (n + 1) * all / count;
  for (std::size_t nic = n * all / count; nic < end; ++nic) {
    std::string kind = host.kinds[nic];
    if (shared && kind == "passthrough") kind = "sriov";
    if (!shared && host.shares_nics && kind == "sriov") kind = "passthrough";
    nics[host.nics[nic]] = kind;
  }
  return nics;
}

/// VM `n` of `count`.
ordered_json divided_vm(const SharedHost& host, std::int64_t n, std::int64_t count) {
  constexpr std::int64_t kMiB = 1 << 20;
  ordered_json vm = host.vm;
  if (!host.whole_gpus) return vm;
  vm["gpus"] = divided_gpus(host, count);
  if (host.vcpus > 0) vm["vcpus"] = std::max<std::int64_t>(host.vcpus / count, 1);
  if (host.memory > Bytes{}) {
    const std::int64_t each = host.memory.count() / count / kMiB * kMiB;
    vm["memory"] = input::format_binary_size(Bytes{std::max(each, kMiB)});
  }
  if (!host.nics.empty()) {
    vm["nics"] = divided_nics(host, static_cast<std::size_t>(n), static_cast<std::size_t>(count));
  }
  return vm;
}

/// The places that make the VM of that name the other one.
void add_differences(const std::string& name, const ordered_json& now, const ordered_json& vm,
                     ordered_json& set) {
  const std::string pointer = "/vms/" + name;
  const ordered_json had = now.value("gpus", ordered_json::object());
  for (const char* key : {"mode", "profile", "devices", "count", "device_groups"}) {
    const ordered_json value = vm["gpus"].value(key, ordered_json());
    if (had.value(key, ordered_json()) != value)
      set.push_back(place(pointer + "/gpus/" + key, value));
  }
  for (const char* key : {"vcpus", "memory"}) {
    const ordered_json value = vm.value(key, ordered_json());
    if (now.value(key, ordered_json()) != value) set.push_back(place(pointer + "/" + key, value));
  }
  const ordered_json before = now.value("nics", ordered_json::object());
  const ordered_json nics = vm.value("nics", ordered_json::object());
  for (const auto& [nic, kind] : before.items()) {
    if (!nics.contains(nic)) set.push_back(place(pointer + "/nics/" + nic, nullptr));
  }
  for (const auto& [nic, kind] : nics.items()) {
    if (before.value(nic, ordered_json()) == kind) continue;
    set.push_back(place(pointer + "/nics/" + nic, kind));
    set.back()["new"] = true;
  }
}

/// The name of one more VM.
std::string next_name(NameCounter& names, const std::string& last) {
  const std::string next = names.after(last);
  return next.empty() ? names.after(last + "1") : next;
}

/// The places that leave `count` VMs on each host.
ordered_json set_of(const std::vector<SharedHost>& hosts, const Value& scenario,
                    std::int64_t count) {
  ordered_json set = ordered_json::array();
  const Value& vms = scenario.member("vms")->value;
  const Value& job = scenario.member("job")->value;
  NameCounter names(vms.members());
  bool all_train = true;
  for (const SharedHost& host : hosts) {
    const auto now = static_cast<std::int64_t>(host.vms.size());
    if (now == count) continue;
    for (std::int64_t n = 0; n < std::max(now, count); ++n) {
      if (n >= count) {
        set.push_back(place("/vms/" + host.vms[static_cast<std::size_t>(n)], nullptr));
        continue;
      }
      const ordered_json vm = divided_vm(host, n, count);
      if (n >= now) {
        const std::string name = next_name(names, host.vms.front());
        set.push_back(place("/vms/" + name, vm));
        set.back()["new"] = true;
        all_train = all_train && is_in(job, name);
      } else if (host.whole_gpus) {
        const std::string& name = host.vms[static_cast<std::size_t>(n)];
        add_differences(name, scenario::to_ordered_json(vms.member(name)->value), vm, set);
      }
    }
  }
  // Added VMs train as well, where all did.
  if (!all_train && hosts.front().whole_gpus) set.push_back(place("/job/vms", nullptr));
  return set;
}

/// The numbers of VMs that all hosts support.
std::vector<std::int64_t> counts_of(const std::vector<SharedHost>& hosts) {
  constexpr std::int64_t kMost = 64;
  std::vector<std::int64_t> counts;
  for (std::int64_t n = 1; n <= kMost; ++n) {
    std::size_t added = 0;
    bool possible = true;
    for (const SharedHost& host : hosts) {
      const std::size_t now = host.vms.size();
      added += static_cast<std::size_t>(n) - std::min(static_cast<std::size_t>(n), now);
      const bool divides = host.gpus % n == 0 && (n == 1 || !host.nics.empty());
      possible = possible && (host.whole_gpus ? divides : n <= host.gpus);
    }
    const bool even = n <= 8 || n % 8 == 0;
    if (possible && even && added <= kMostNewVms) counts.push_back(n);
  }
  return counts;
}

}  // namespace

ordered_json vm_count_control(const Value& scenario, const scenario::Library& library,
                              const Scope& scope) {
  const auto hosts = shared_hosts(scenario, library, scope.host);
  const auto counts = counts_of(hosts);
  if (hosts.empty() || counts.size() < 2) return nullptr;
  ordered_json made = control("vm-count", "VMs", "VMs of a host",
                              "they share GPUs, vCPUs, memory and NICs of the host's VMs evenly");
  std::set<std::size_t> now;
  for (const SharedHost& host : hosts) now.insert(host.vms.size());
  made["mixed"] = now.size() > 1;
  if (now.size() == 1) made["value"] = std::to_string(*now.begin());
  for (const std::int64_t count : counts) {
    add_choice(made, std::to_string(count), set_of(hosts, scenario, count));
  }
  return made;
}

}  // namespace vgsim::studio
