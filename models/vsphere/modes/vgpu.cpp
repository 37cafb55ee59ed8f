#include "models/vsphere/modes/vgpu.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "models/vsphere/placement/host_inventory.hpp"
#include "models/vsphere/vm.hpp"

namespace vgsim::vsphere {
namespace {

bool all_of_hopper_or_newer(const VirtualMachine& vm, const HostInventory& host) {
  return std::all_of(vm.gpus.begin(), vm.gpus.end(), [&](std::size_t gpu) {
    return host.boards[gpu] != nullptr && host.boards[gpu]->is_hopper_or_newer();
  });
}

bool any_before_ampere(const VirtualMachine& vm, const HostInventory& host) {
  return std::any_of(vm.gpus.begin(), vm.gpus.end(), [&](std::size_t gpu) {
    return host.boards[gpu] != nullptr && !host.boards[gpu]->is_ampere_or_newer();
  });
}

std::optional<std::string> lacks_moves(const VirtualMachine& vm, bool by_load,
                                       const Versions& versions, std::string_view version) {
  if (vm.settings.unified_memory) return "unified memory is on for its vGPUs";
  if (!versions.has(version, "vgpu-vmotion")) {
    return "vMotion of vGPUs comes with vSphere " + versions.since("vgpu-vmotion");
  }
  if (by_load && !versions.has(version, "stun-limit")) {
    return "VMs with vGPUs need vSphere " + versions.since("stun-limit") + " for it";
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> vgpu_lacks(const VirtualMachine& vm, Operation operation,
                                      const Versions& versions, std::string_view version) {
  switch (operation) {
    case Operation::kVmotion:
    case Operation::kDrs:
      return lacks_moves(vm, operation == Operation::kDrs, versions, version);
    case Operation::kSuspend:
      if (versions.has(version, "vgpu-suspend")) return std::nullopt;
      return "suspending vGPUs comes with vSphere " + versions.since("vgpu-suspend");
    case Operation::kSnapshot:
    case Operation::kHa:
    case Operation::kFaultTolerance:
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Restriction> vgpu_nvlink_restriction(const VirtualMachine& vm,
                                                   const HostInventory& host,
                                                   const Versions& versions,
                                                   std::string_view version) {
  if (!versions.has(version, "vgpu-nvlink")) {
    return Restriction{
        "vgpu-nvlink-version",
        fmt::format("NVLink between vGPUs comes with vSphere {}", versions.since("vgpu-nvlink"))};
  }
  if (!vm.settings.linux_guest) {
    return Restriction{"vgpu-nvlink-guest-os",
                       "NVLink between its vGPUs is off: its guest is not Linux"};
  }
  const bool p2p_lost =
      vm.settings.unified_memory && vm.gpus.size() > 1 && !all_of_hopper_or_newer(vm, host);
  if (!p2p_lost) return std::nullopt;
  return Restriction{"unified-memory-no-nvlink",
                     "unified memory is on, and it has several vGPUs older than Hopper"};
}

NvlinkReach vgpu_nvlink_reach(const VirtualMachine& vm, const HostInventory& host) {
  if (host.nvswitch) return vm.nvlink_group;
  NvlinkReach reach(vm.gpus.size());
  for (std::size_t g = 0; g < reach.size(); ++g) {
    if (vm.is_whole_vgpu(g)) reach[g] = 0;
  }
  return reach;
}

std::optional<Restriction> vgpu_gpudirect_restriction(const VirtualMachine& vm,
                                                      const HostInventory& host,
                                                      const Versions& versions,
                                                      std::string_view version) {
  if (!versions.has(version, "gpudirect-rdma-vgpu")) {
    return Restriction{"gpudirect-vgpu-version",
                       fmt::format("GPUDirect RDMA with vGPU comes with vSphere {}",
                                   versions.since("gpudirect-rdma-vgpu"))};
  }
  if (!vm.settings.linux_guest) return Restriction{"gpudirect-guest-os", "its guest is not Linux"};
  if (!any_before_ampere(vm, host)) return std::nullopt;
  return Restriction{"gpudirect-vgpu-gpu", "its GPUs are older than Ampere"};
}

}  // namespace vgsim::vsphere
