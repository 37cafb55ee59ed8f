#include "models/vsphere/import/vm_join.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "topology/machine/import_codes.hpp"

namespace vgsim::vsphere::import {
namespace {

/// Device lists or settings by themselves, as "govc device.info" and collected properties are.
bool is_part(const VmFacts& vm) { return !vm.name && !vm.vcpus && !vm.memory; }

template <class T>
bool differ(const Maybe<T>& a, const Maybe<T>& b) {
  return a && b && a->value != b->value;
}

/// Whether two files that name a VM alike can describe the same VM. If they agree on the host,
/// other values may have changed between the exports.
bool can_be_one(const VmFacts& a, const VmFacts& b) {
  if (differ(a.host, b.host) || differ(a.host_id, b.host_id)) return false;
  if ((a.host && b.host) || (a.host_id && b.host_id)) return true;
  const bool other_devices = !a.pci.empty() && !b.pci.empty() && a.pci.size() != b.pci.size();
  return !differ(a.vcpus, b.vcpus) && !differ(a.memory, b.memory) && !other_devices;
}

template <class... Members>
void take_missing(VmFacts& here, VmFacts& there, Members... members) {
  const auto take = [](auto& mine, auto& other) {
    if (!mine) mine = std::move(other);
  };
  (take(here.*members, there.*members), ...);
}

/// Names are looked up; of those that are alike, one file's are always different VMs.
class Joiner {
 public:
  explicit Joiner(std::size_t count) { joined_.vms.reserve(count); }

  void add(VmFacts vm) {
    if (is_part(vm)) return parts_.push_back(std::move(vm));
    if (!vm.name) return append(std::move(vm));
    std::vector<std::size_t>& alike = by_name_[vm.name->value];
    const auto same = std::ranges::find_if(alike, [&](std::size_t v) {
      return !sources_[v].contains(vm.name->source) && can_be_one(joined_.vms[v], vm);
    });
    if (same != alike.end()) {
      sources_[*same].insert(vm.name->source);
      return fill(joined_.vms[*same], std::move(vm));
    }
    alike.push_back(joined_.vms.size());
    append(std::move(vm));
  }

  JoinedVms finish() && {
    const auto lists = std::ranges::count_if(
        parts_, [](const VmFacts& part) { return !part.pci.empty() || !part.adapters.empty(); });
    const bool is_one = joined_.vms.size() == 1 || (joined_.vms.empty() && lists <= 1);
    for (VmFacts& part : parts_) {
      if (is_one && !joined_.vms.empty()) {
        fill(joined_.vms.front(), std::move(part));
      } else {
        append(std::move(part));
      }
    }
    return std::move(joined_);
  }

 private:
  void append(VmFacts vm) {
    sources_.emplace_back();
    if (vm.name) sources_.back().insert(vm.name->source);
    joined_.vms.push_back(std::move(vm));
  }

  template <class T>
  void compare(const VmFacts& vm, const Maybe<T>& here, const Maybe<T>& there, const char* what) {
    if (!differ(here, there)) return;
    joined_.warnings.warning(
        topology::import_codes::kContradiction.code, {}, "",
        fmt::format("{} of {} differ in {} and {}; the first are used", what,
                    vm.name ? vm.name->value : "the VM", here->source, there->source));
  }

  void fill(VmFacts& here, VmFacts vm) {
    compare(here, here.vcpus, vm.vcpus, "vCPUs");
    compare(here, here.memory, vm.memory, "sizes of memory");
    take_missing(here, vm, &VmFacts::name, &VmFacts::host, &VmFacts::host_id, &VmFacts::powered_on,
                 &VmFacts::vcpus, &VmFacts::cores_per_socket, &VmFacts::memory,
                 &VmFacts::memory_reserved, &VmFacts::hardware_version, &VmFacts::firmware,
                 &VmFacts::guest_os, &VmFacts::latency_sensitivity, &VmFacts::numa_affinity,
                 &VmFacts::vcpus_per_numa_node, &VmFacts::allow_p2p, &VmFacts::relax_acs,
                 &VmFacts::wide_mmio, &VmFacts::mmio_gb, &VmFacts::unified_memory);
    here.advanced.merge(vm.advanced);
    here.device_groups.merge(vm.device_groups);
    if (here.pci.empty()) here.pci = std::move(vm.pci);
    if (here.adapters.empty()) here.adapters = std::move(vm.adapters);
  }

  JoinedVms joined_;
  std::vector<std::set<std::string>> sources_;  ///< of the names of each joined VM
  std::map<std::string, std::vector<std::size_t>> by_name_;
  std::vector<VmFacts> parts_;
};

}  // namespace

JoinedVms join_vms(std::vector<VmFacts> vms) {
  Joiner joiner(vms.size());
  for (VmFacts& vm : vms) joiner.add(std::move(vm));
  return std::move(joiner).finish();
}

}  // namespace vgsim::vsphere::import
