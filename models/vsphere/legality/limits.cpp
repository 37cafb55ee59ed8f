#include <fmt/core.h>

#include <algorithm>

#include "models/vsphere/gpu_sharing.hpp"
#include "models/vsphere/legality/checks.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::vsphere {
namespace {

template <class T>
void compare(const Case& each, const std::optional<Limit<T>>& limit, T has, const char* rule,
             const char* what, const auto& show) {
  if (has == T{}) return;
  if (!limit) {
    each.found("limit-unknown", fmt::format("the limit on {} of a VM in vSphere {} is not known",
                                            what, each.layout.version));
  } else if (has > limit->value) {
    each.found(rule, fmt::format("{} {}, and vSphere {} allows {}", show(has), what,
                                 each.layout.version, show(limit->value)));
  }
}

/// The limit on passthrough devices comes with the virtual hardware: a VM of an older one has that
/// of the newest version with no newer hardware. Source: Broadcom KB 309986.
const std::optional<Limit<std::int64_t>>& device_limit(const Case& each) {
  const Versions& versions = each.layout.facts.versions;
  const auto& words = Versions::words();
  auto version = std::find(words.rbegin(), words.rend(), each.layout.version);
  const auto& hardware = each.vm.settings.hardware_version;
  while (hardware && version + 1 != words.rend()) {
    const auto& newest = versions.limits(*version).hardware_version;
    if (newest && newest->value <= *hardware) break;
    ++version;
  }
  return versions.limits(*version).passthrough_devices;
}

}  // namespace

void check_limits(const Case& each) {
  const VirtualMachine& vm = each.vm;
  const Limits& limits = each.layout.facts.versions.limits(each.layout.version);
  const auto plain = [](std::int64_t value) { return fmt::format("{}", value); };
  const auto bytes = [](Bytes value) { return input::format_bytes(value); };
  const auto compare_mode = [&](const DeviceLimit& limit, std::size_t has) {
    if (limit.most == nullptr) return;
    compare(each, limits.*limit.most, static_cast<std::int64_t>(has), limit.rule, limit.devices,
            plain);
  };
  const std::size_t gpus = each.has_passthrough() ? vm.gpus.size() : 0;
  compare(each, device_limit(each),
          static_cast<std::int64_t>(gpus + passed_nics(vm)) + vm.settings.other_devices.count(),
          "passthrough-device-limit", "passthrough devices (GPUs, NICs and others)", plain);
  compare_mode(vm.mode->limit, vm.gpus.size());
  compare(each, limits.vcpus, vm.settings.vcpus.value_or(0), "vcpu-limit", "vCPUs", plain);
  compare(each, limits.memory, vm.settings.memory.value_or(Bytes{0}), "memory-limit",
          "guest memory", bytes);
  for (const NicMode& mode : nic_modes()) {
    compare_mode(mode.limit, static_cast<std::size_t>(std::count_if(
                                 vm.nics.begin(), vm.nics.end(),
                                 [&](const VmNic& nic) { return nic.mode == &mode; })));
  }
  if (vm.settings.hardware_version && limits.hardware_version &&
      *vm.settings.hardware_version > limits.hardware_version->value) {
    each.found("hardware-version-too-new",
               fmt::format("virtual hardware {}, and vSphere {} knows up to {}",
                           *vm.settings.hardware_version, each.layout.version,
                           limits.hardware_version->value));
  }
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
             fmt::format("the vGPUs on a GPU of it want {:.0f} % of its time", most * 100));
}

}  // namespace vgsim::vsphere
