#include "models/vsphere/lifecycle.hpp"

#include <algorithm>

namespace vgsim::vsphere {
namespace {

/// Enhanced DirectPath keeps vMotion and suspend; that it keeps snapshots is said nowhere.
bool passes_nics(const VirtualMachine& vm, Operation operation) {
  return std::any_of(vm.nics.begin(), vm.nics.end(), [&](const VmNic& nic) {
    return nic.mode == NicMode::kPassthrough || nic.mode == NicMode::kSriov ||
           (nic.mode == NicMode::kEnhancedDirectPath && operation == Operation::kSnapshot);
  });
}

bool has_virtual_function(const VirtualMachine& vm) {
  return std::any_of(vm.nics.begin(), vm.nics.end(),
                     [](const VmNic& nic) { return nic.mode == NicMode::kSriov; });
}

bool is_static(const VirtualMachine& vm, const Versions& versions, std::string_view version) {
  return vm.direct_path == DirectPath::kStatic ||
         (vm.direct_path == DirectPath::kUnsaid && !versions.has(version, "dynamic-passthrough"));
}

}  // namespace

std::optional<std::string> lacks(const VirtualMachine& vm, Operation operation,
                                 const Versions& versions, std::string_view version) {
  if (vm.mode == GpuMode::kBareMetal) return "it is no VM";
  const bool passthrough = vm.mode == GpuMode::kPassthrough && !vm.gpus.empty();
  if (operation == Operation::kHa) {
    if (passthrough && is_static(vm, versions, version)) {
      return "static DirectPath I/O ties it to one host";
    }
    if (has_virtual_function(vm)) return "it has NICs by SR-IOV";
    return std::nullopt;
  }
  if (passthrough) return "its GPUs are passed through";
  if (vm.settings.other_devices.count() > 0) return "it has other devices in passthrough";
  if (passes_nics(vm, operation)) return "it has NICs in passthrough or by SR-IOV";
  if (vm.gpus.empty()) return std::nullopt;
  switch (operation) {
    case Operation::kVmotion:
    case Operation::kDrs:
      if (vm.settings.unified_memory) return "unified memory is on for its vGPUs";
      if (!versions.has(version, "vgpu-vmotion")) {
        return "vMotion of vGPUs comes with vSphere " + versions.since("vgpu-vmotion");
      }
      if (operation == Operation::kDrs && !versions.has(version, "stun-limit")) {
        return "DRS moves VMs with vGPUs from vSphere " + versions.since("stun-limit") + " on";
      }
      return std::nullopt;
    case Operation::kSuspend:
      if (!versions.has(version, "vgpu-suspend")) {
        return "suspending vGPUs comes with vSphere " + versions.since("vgpu-suspend");
      }
      return std::nullopt;
    case Operation::kSnapshot:
    case Operation::kHa:
      return std::nullopt;
  }
  return std::nullopt;
}

SimTime expected_stun(const VirtualMachine& vm, const HostSettings& host, const Versions& versions,
                      std::string_view version, const calibration::Parameters& parameters) {
  const bool old = is_older(version, "7.0");
  double rate = static_cast<double>(host.vmotion.count());
  if (versions.has(version, "fast-vgpu-vmotion")) {
    rate = std::min(rate, static_cast<double>(parameters.rate("vmotion_channel_limit").count()));
  }
  rate *= parameters.number(old ? "stun_line_share_6_7" : "stun_line_share_7_0");
  double bytes = 0.0;
  for (const Profile* profile : vm.profiles) {
    if (profile != nullptr) bytes += static_cast<double>(profile->framebuffer.count());
  }
  const SimTime constant = parameters.time(old ? "stun_constant_6_7" : "stun_constant_7_0");
  return constant + SimTime{static_cast<std::int64_t>(bytes / rate * 1e12)};
}

}  // namespace vgsim::vsphere
