#include "models/vsphere/lifecycle.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>

namespace vgsim::vsphere {
namespace {

bool has_nic(const VirtualMachine& vm, bool (*which)(const NicMode&)) {
  return std::any_of(vm.nics.begin(), vm.nics.end(),
                     [&](const VmNic& nic) { return which(*nic.mode); });
}

/// The mode of a NIC that bars the operation; nullptr if none does.
const NicMode* barring_nics(const VirtualMachine& vm, Operation operation) {
  const auto found = std::find_if(vm.nics.begin(), vm.nics.end(),
                                  [&](const VmNic& nic) { return nic.mode->loses.has(operation); });
  return found == vm.nics.end() ? nullptr : found->mode;
}

std::string nics_bar(const NicMode& mode, Operation operation) {
  const bool stated = mode.states_losses;
  return stated ? fmt::format("it has NICs {}", mode.given)
                : fmt::format("it has NICs {}, and no source states that they keep {}", mode.given,
                              to_string(operation));
}

/// Whether devices that are named in that way are those of one host.
bool ties(DirectPath named, const VirtualMachine& vm, const Versions& versions,
          std::string_view version) {
  if (named != DirectPath::kUnspecified) return named == DirectPath::kStatic;
  const auto needed = versions.hardware_for("dynamic-passthrough");
  const auto& hardware = vm.settings.hardware_version;
  return !versions.has(version, "dynamic-passthrough") ||
         (hardware && needed && *hardware < *needed);
}

std::optional<std::string> lacks_ha(const VirtualMachine& vm, const Versions& versions,
                                    std::string_view version) {
  if (vm.mode->is_passed && !vm.gpus.empty() && ties(vm.mode->direct_path, vm, versions, version)) {
    return "static DirectPath I/O ties it to one host";
  }
  if (has_nic(vm, [](const NicMode& mode) { return mode.loses_ha; })) {
    return "it has NICs by SR-IOV";
  }
  const DirectPath others = vm.settings.direct_path.value_or(vm.mode->direct_path);
  if (!ties(others, vm, versions, version)) return std::nullopt;
  if (has_nic(vm, [](const NicMode& mode) { return mode.ties_if_static; })) {
    return "a NIC in static DirectPath I/O ties it to one host";
  }
  if (vm.settings.other_devices.count() > 0) {
    return "another device in static DirectPath I/O ties it to one host";
  }
  return std::nullopt;
}

/// Fault Tolerance keeps a second VM in step, which no PCI device of the guest can follow.
std::optional<std::string> lacks_fault_tolerance(const VirtualMachine& vm) {
  if (!vm.gpus.empty()) return fmt::format("it has GPUs {}", vm.mode->given);
  const bool passes = std::any_of(vm.nics.begin(), vm.nics.end(),
                                  [](const VmNic& nic) { return nic.mode->is_passed; });
  if (passes || vm.settings.other_devices.count() > 0) return "it has devices in passthrough";
  return std::nullopt;
}

/// The board if it has a separate table; empty otherwise.
std::optional<std::string> table_of(const Profile& profile) {
  const std::string own = "stun_line_share_" + profile.board;
  return calibration::declared_parameters().contains(own) ? std::optional(profile.board)
                                                          : std::nullopt;
}

bool is_v100(const Profile& profile) { return profile.board.starts_with("v100"); }

double used_bytes(const VirtualMachine& vm, const Profile& profile, bool copies_static) {
  const Bytes used =
      std::min(vm.settings.framebuffer_used.value_or(profile.framebuffer), profile.framebuffer);
  const Bytes before = copies_static ? std::min(vm.settings.framebuffer_static, used) : Bytes{0};
  return static_cast<double>((used - before).count());
}

/// The rate of a network that vMotion uses for vGPUs.
double usable_rate(BytesPerSecond network, const Versions& versions, std::string_view version,
                   const calibration::Parameters& parameters) {
  const auto rate = static_cast<double>(network.count());
  if (!versions.has(version, "fast-vgpu-vmotion")) return rate;
  return std::min(rate, static_cast<double>(parameters.rate("vmotion_channel_limit").count()));
}

SimTime seconds(double value) {
  constexpr double kMost = 9.2e6;  // 106 days
  if (!(value <= kMost)) throw OverflowError("vMotion takes longer than 106 days");
  return SimTime{static_cast<std::int64_t>(value * 1e12)};
}

std::optional<std::string> devices_bar(const VirtualMachine& vm, Operation operation) {
  if (vm.mode->is_passed && !vm.gpus.empty()) return "its GPUs are passed through";
  if (vm.settings.other_devices.count() > 0) return "it has other devices in passthrough";
  if (const NicMode* nics = barring_nics(vm, operation)) return nics_bar(*nics, operation);
  return std::nullopt;
}

}  // namespace

bool is_placed_by_drs(const VirtualMachine& vm, const Versions& versions,
                      std::string_view version) {
  return devices_bar(vm, Operation::kDrs) && !lacks_ha(vm, versions, version);
}

std::optional<std::string> lacks(const VirtualMachine& vm, Operation operation,
                                 const Versions& versions, std::string_view version) {
  if (!vm.mode->is_virtual) return "it is not a VM";
  if (operation == Operation::kFaultTolerance) return lacks_fault_tolerance(vm);
  if (operation == Operation::kHa) return lacks_ha(vm, versions, version);
  if (auto why = devices_bar(vm, operation)) return why;
  if (vm.gpus.empty() || vm.mode->lacks == nullptr) return std::nullopt;
  return vm.mode->lacks(vm, operation, versions, version);
}

SimTime expected_stun(const VirtualMachine& vm, BytesPerSecond network, const Versions& versions,
                      std::string_view version, const calibration::Parameters& parameters) {
  const double rate = usable_rate(network, versions, version, parameters);
  const bool copies_static = versions.has(version, "enhanced-vgpu-vmotion");
  const std::string of_v100 = is_older(version, "7.0") ? "6_7" : "7_0";
  SimTime constant{};
  double sum = 0.0;
  for (const Profile* profile : vm.profiles) {
    if (profile == nullptr) continue;
    const auto own = table_of(*profile);
    const std::string table = own.value_or(of_v100);
    const double factor =
        own || is_v100(*profile) ? 1.0 : parameters.number("stun_other_gpu_factor");
    constant = std::max(constant, parameters.time("stun_constant_" + table));
    sum += factor * used_bytes(vm, *profile, copies_static) /
           (rate * parameters.number("stun_line_share_" + table));
  }
  return constant + seconds(sum);
}

SimTime largest_stun(const VirtualMachine& vm, BytesPerSecond network, const Versions& versions,
                     std::string_view version, const calibration::Parameters& parameters) {
  const double rate = usable_rate(network, versions, version, parameters) *
                      parameters.number("stun_estimate_line_share");
  SimTime constant{};
  double bytes = static_cast<double>(vm.settings.memory.value_or(Bytes{0}).count()) *
                 parameters.number("stun_estimate_memory_share");
  for (const Profile* profile : vm.profiles) {
    if (profile == nullptr) continue;
    constant += parameters.time("stun_estimate_constant");
    bytes += static_cast<double>(profile->framebuffer.count());
  }
  return constant + seconds(bytes / rate);
}

}  // namespace vgsim::vsphere
