#include "models/vsphere/modes/gpu_modes.hpp"

#include <fmt/core.h>

#include <array>

#include "models/vsphere/gpu_sharing.hpp"
#include "models/vsphere/modes/by_key.hpp"
#include "models/vsphere/modes/vgpu.hpp"

namespace vgsim::vsphere {
namespace {

std::optional<Restriction> passthrough_nvlink_restriction(const VirtualMachine& vm,
                                                          const HostInventory& host,
                                                          const Versions& /*versions*/,
                                                          std::string_view /*version*/) {
  if (!host.nvswitch || vm.gpus.empty() || vm.gpus.size() == host.gpus.size()) return std::nullopt;
  return Restriction{
      "nvswitch-passthrough-part",
      fmt::format("{} of the {} GPUs of an NVSwitch board are passed through: their NVLink "
                  "is taken as down, and CUDA may not initialise (error 802)",
                  vm.gpus.size(), host.gpus.size()),
      true};
}

/// Passthrough with a stated or unstated kind of DirectPath I/O.
constexpr GpuMode passthrough(const char* key, DirectPath direct_path) {
  return {.key = key,
          .title = "passthrough",
          .given = "in passthrough",
          .meaning = nullptr,
          .sharing = &kPassedGpu,
          .direct_path = direct_path,
          .is_passed = true,
          .is_exclusive = true,
          .nvlink_restriction = &passthrough_nvlink_restriction};
}

constexpr GpuMode plain_passthrough() {
  GpuMode mode = passthrough("passthrough", DirectPath::kUnspecified);
  mode.meaning = "DirectPath I/O, static (a device of one host) or dynamic (any device of a kind)";
  mode.change = "GPUs in passthrough instead of vGPUs";
  mode.change_needs = "VMs lose vMotion, DRS, suspend and snapshots [loses-vmotion]";
  return mode;
}

/// Sources: the rules of configs/vsphere/rules.json that name the modes.
constexpr std::array kGpuModes{
    GpuMode{.key = nullptr,
            .title = "bare metal",
            .given = "on the host",
            .meaning = nullptr,
            .sharing = &kBareGpu,
            .is_virtual = false,
            .is_exclusive = true},
    plain_passthrough(),
    passthrough("passthrough_static", DirectPath::kStatic),
    passthrough("passthrough_dynamic", DirectPath::kDynamic),
    GpuMode{.key = "vgpu",
            .title = "vgpu",
            .given = "as vGPU",
            .meaning = "time-sliced or MIG-backed vGPU, by its profile",
            .sharing = &kTimeSliced,
            .mig_sharing = &kMigBacked,
            .takes_profiles = true,
            .needs_sriov = true,
            .wants_unified = true,
            .limit = {&Limits::vgpus, "vgpu-limit", "vGPUs"},
            .no_pcie_rule = "vgpu-has-no-pcie-p2p",
            .no_pcie_text = "vGPU has no PCIe peer-to-peer: GPUs under one switch copy through "
                            "host memory",
            .lacks = &vgpu_lacks,
            .nvlink_restriction = &vgpu_nvlink_restriction,
            .nvlink_reach = &vgpu_nvlink_reach,
            .gpudirect_restriction = &vgpu_gpudirect_restriction},
};

}  // namespace

std::span<const GpuMode> gpu_modes() { return kGpuModes; }

const GpuMode& gpu_mode(std::string_view key) { return by_key(gpu_modes(), key); }

const GpuMode& bare_metal_gpus() { return kGpuModes.front(); }

const GpuMode& default_gpu_mode() { return gpu_mode("passthrough"); }

}  // namespace vgsim::vsphere
