#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "models/vsphere/gpu_sharing.hpp"
#include "models/vsphere/legality/checks.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::vsphere {
namespace {

/// Virtual hardware that no ESXi has. Source: vSphere Automation API, Vm_Hardware_Upgrade.
const std::set<std::int64_t> kOfWorkstation{12, 16};

/// A limit with its origin: "vSphere 8.0" or "virtual hardware 17".
template <class T>
struct Bound {
  Limit<T> limit;
  std::string set_by;
};

/// The smaller limit of the version and the VM's virtual hardware; empty if both are unknown.
template <class T>
std::optional<Bound<T>> bound(const Case& each, std::optional<Limit<T>> Limits::*member) {
  const Versions& versions = each.layout.facts.versions;
  const auto& own = versions.limits(each.layout.version).*member;
  std::optional<Bound<T>> result;
  if (own) result = Bound<T>{*own, fmt::format("vSphere {}", each.layout.version)};
  const auto& number = each.vm.settings.hardware_version;
  const Limits* hardware = number ? versions.hardware(*number) : nullptr;
  if (hardware == nullptr || !(hardware->*member)) return result;
  const Limit<T>& other = *(hardware->*member);
  if (result && result->limit.value <= other.value) return result;
  return Bound<T>{other, fmt::format("virtual hardware {}", *number)};
}

/// Limits without a source, or from recall only, do not refuse.
template <class T>
void compare(const Case& each, std::optional<Limit<T>> Limits::*member, T has, const char* rule,
             const char* what, const auto& show) {
  if (has == T{}) return;
  const auto most = bound(each, member);
  if (!most) {
    each.found("limit-unknown", fmt::format("the limit on {} of a VM in vSphere {} is not known",
                                            what, each.layout.version));
    return;
  }
  if (has <= most->limit.value) return;
  const std::string text = fmt::format("{} {}, and {} allows {}", show(has), what, most->set_by,
                                       show(most->limit.value));
  if (most->limit.source.evidence == "recalled") {
    each.found("limit-unknown", text + ", recalled: no source that was read states it");
  } else {
    each.found(rule, text);
  }
}

void check_hardware_version(const Case& each) {
  const auto& number = each.vm.settings.hardware_version;
  if (!number) return;
  const Versions& versions = each.layout.facts.versions;
  const auto& newest = versions.limits(each.layout.version).hardware_version;
  if (newest && *number > newest->value) {
    each.found("hardware-version-too-new",
               fmt::format("virtual hardware {}, but vSphere {} supports up to {}", *number,
                           each.layout.version, newest->value));
  } else if (kOfWorkstation.contains(*number)) {
    each.found("hardware-version-not-esxi",
               fmt::format("virtual hardware {} is one of VMware Workstation", *number));
  } else if (versions.hardware(*number) == nullptr && newest && *number == newest->value) {
    each.found("limit-unknown",
               fmt::format("no source mentions virtual hardware {} or its support by vSphere {}",
                           *number, each.layout.version));
  }
}

}  // namespace

void check_limits(const Case& each) {
  const VirtualMachine& vm = each.vm;
  const auto plain = [](std::int64_t value) { return fmt::format("{}", value); };
  const auto bytes = [](Bytes value) { return input::format_bytes(value); };
  const auto compare_mode = [&](const DeviceLimit& limit, std::size_t has) {
    if (limit.most == nullptr) return;
    compare(each, limit.most, static_cast<std::int64_t>(has), limit.rule, limit.devices, plain);
  };
  const std::size_t gpus = each.has_passthrough() ? vm.gpus.size() : 0;
  compare(each, &Limits::passthrough_devices,
          static_cast<std::int64_t>(gpus + passed_nics(vm)) + vm.settings.other_devices.count(),
          "passthrough-device-limit", "passthrough devices (GPUs, NICs and others)", plain);
  compare_mode(vm.mode->limit, vm.gpus.size());
  compare(each, &Limits::vcpus, vm.settings.vcpus.value_or(0), "vcpu-limit", "vCPUs", plain);
  compare(each, &Limits::memory, vm.settings.memory.value_or(Bytes{0}), "memory-limit",
          "guest memory", bytes);
  for (const NicMode& mode : nic_modes()) {
    compare_mode(mode.limit, static_cast<std::size_t>(std::count_if(
                                 vm.nics.begin(), vm.nics.end(),
                                 [&](const VmNic& nic) { return nic.mode == &mode; })));
  }
  check_hardware_version(each);
}

void check_gpu_demand(const Case& each) {
  constexpr double kAll = 1.001;  // sums of loads are not exact
  double most = 0;
  for (std::size_t g = 0; g < each.vm.gpus.size(); ++g) {
    if (time_sliced(each.vm, g) == nullptr) continue;
    most = std::max(most, demand_on(each.layout.vms, each.vm.host, each.vm.gpus[g]));
  }
  if (most <= kAll) return;
  each.found("gpu-oversubscribed",
             fmt::format("the vGPUs on one of its GPUs have a total load of {:.0f} %", most * 100));
}

}  // namespace vgsim::vsphere
