#include <fmt/core.h>

#include <algorithm>

#include "models/vsphere/legality/checks.hpp"

namespace vgsim::vsphere {
namespace {

/// The GPU whose BAR fits below 4 GiB.
constexpr const char* kSmallBarBoard = "t4";
/// MMIO space that a VM has once 64-bit MMIO is on.
constexpr std::int64_t kDefaultMmioGb = 32;

bool has_large_bar(const Case& each, std::size_t gpu) {
  const Board* board = each.host.boards[gpu];
  return board == nullptr || board->name != kSmallBarBoard;
}

/// 64-bit MMIO space in GB that the VM's GPUs need: of each the framebuffer rounded up to a power
/// of two, twice. Source: NVIDIA vGPU documentation; F. Denneman 2023-05-30.
std::int64_t mmio_needed(const Case& each) {
  std::int64_t sum = 0;
  for (const std::size_t gpu : each.vm.gpus) {
    const Board* board = each.host.boards[gpu];
    if (board == nullptr || !has_large_bar(each, gpu)) continue;
    std::int64_t size = 1;
    while (size * 1'000'000'000 < board->memory.count()) size *= 2;
    sum += size * 2;
  }
  return sum;
}

void check_mmio(const Case& each) {
  const VmSettings& settings = each.vm.settings;
  const std::int64_t needed = mmio_needed(each);
  if (needed == 0) return;
  if (settings.advanced.wide_mmio && !*settings.advanced.wide_mmio) {
    each.found("mmio-64bit-off", "pciPassthru.use64bitMMIO is not TRUE");
    return;
  }
  if (!settings.advanced.mmio_gb && !settings.advanced.wide_mmio) return;
  const std::int64_t has = settings.advanced.mmio_gb.value_or(kDefaultMmioGb);
  if (has < needed) {
    each.found("mmio-too-small",
               fmt::format("pciPassthru.64bitMMIOSizeGB is {}, and its GPUs need {}", has, needed));
  }
}

void check_bios(const Case& each) {
  const HostSettings& host = each.host.settings;
  const bool any_nic = passed_nics(each.vm) > 0;
  const bool by_sriov = std::any_of(each.vm.nics.begin(), each.vm.nics.end(),
                                    [](const VmNic& nic) { return nic.mode->needs_sriov; });
  if (!host.bios.iommu && (!each.vm.gpus.empty() || any_nic)) {
    each.found("iommu-off", "VT-d or AMD-Vi is off in the BIOS of its host");
  }
  const bool vgpu_needs =
      each.vm.mode->needs_sriov &&
      std::any_of(each.vm.gpus.begin(), each.vm.gpus.end(), [&](std::size_t gpu) {
        const Board* board = each.host.boards[gpu];
        return board != nullptr && board->is_ampere_or_newer();
      });
  if (!host.bios.sriov && (vgpu_needs || by_sriov)) {
    each.found("sriov-off", vgpu_needs ? "its vGPUs need SR-IOV, which is off in the BIOS"
                                       : "its NICs need SR-IOV, which is off in the BIOS");
  }
  const bool large_bar = std::any_of(each.vm.gpus.begin(), each.vm.gpus.end(),
                                     [&](std::size_t gpu) { return has_large_bar(each, gpu); });
  if (!host.bios.above_4g && large_bar) {
    each.found("above-4g-off", "memory mapping above 4 GiB is off in the BIOS of its host");
  }
  if (!each.vm.settings.efi && large_bar) {
    each.found("firmware-not-efi", "its firmware is BIOS, and a GPU's BAR exceeds 256 MB");
  }
}

void check_dpu(const Case& each) {
  const auto& nics = each.layout.topology.hosts[each.vm.host].nics;
  const bool has_dpu =
      std::any_of(nics.begin(), nics.end(), [](const auto& nic) { return nic.dpu; });
  if (!each.has("dpu")) {
    each.found("dpu-offload",
               fmt::format("DPUs come with vSphere {}", each.layout.facts.versions.since("dpu")));
  } else if (!has_dpu) {
    each.found("dpu-offload", "no NIC of its host is a DPU");
  }
}

/// What is to be known of a mode that the VM has NICs in.
void check_nic_mode(const Case& each, const NicMode& mode) {
  if (!mode.is_measured) {
    const auto of = [&](const char* which) {
      return each.layout.parameters.describe(std::string(mode.parameters) + which);
    };
    each.found("nic-kind-unmeasured",
               fmt::format("nobody has published what {} carries or delays: of the port {}; each "
                           "message later by {}",
                           mode.title, of("_share"), of("_latency")));
  }
  if (mode.feature == nullptr) return;
  const std::string feature = mode.feature;
  if (!each.has(mode.feature)) {
    each.found(feature + "-version", fmt::format("{} comes with vSphere {}", mode.title,
                                                 each.layout.facts.versions.since(mode.feature)));
    return;
  }
  const auto& nics = each.layout.topology.hosts[each.vm.host].nics;
  for (const VmNic& nic : each.vm.nics) {
    if (nic.mode != &mode) continue;
    each.found(feature + "-driver",
               fmt::format("{} needs a vendor driver that takes part", nics[nic.host_nic].name));
  }
}

void check_nic_modes(const Case& each) {
  for (const NicMode& mode : nic_modes()) {
    const bool is_used = std::any_of(each.vm.nics.begin(), each.vm.nics.end(),
                                     [&](const VmNic& nic) { return nic.mode == &mode; });
    if (is_used) check_nic_mode(each, mode);
  }
}

}  // namespace

void check_prerequisites(const Case& each) {
  const VirtualMachine& vm = each.vm;
  check_mmio(each);
  check_bios(each);
  check_nic_modes(each);
  if (!vm.settings.memory_reserved && (!vm.gpus.empty() || passed_nics(vm) > 0)) {
    each.found("memory-not-reserved", "guest memory is not fully reserved");
  }
  if (vm.settings.other_devices.nvme_snap > 0) {
    each.found("nvme-snap", "an NVMe SNAP device of a DPU is given to it");
  }
  const bool dynamic_gpus = vm.mode->direct_path == DirectPath::kDynamic && !vm.gpus.empty();
  if (dynamic_gpus || vm.settings.direct_path == DirectPath::kDynamic) {
    const auto hardware = each.layout.facts.versions.hardware_for("dynamic-passthrough");
    if (!each.has("dynamic-passthrough")) {
      each.found("dynamic-passthrough-version",
                 fmt::format("dynamic DirectPath I/O comes with vSphere {}",
                             each.layout.facts.versions.since("dynamic-passthrough")));
    } else if (hardware && vm.settings.hardware_version &&
               *vm.settings.hardware_version < *hardware) {
      each.found("dynamic-passthrough-version",
                 fmt::format("dynamic DirectPath I/O needs virtual hardware {}, and it has {}",
                             *hardware, *vm.settings.hardware_version));
    }
  }
  if (vm.remote_client) {
    each.found("remote-gpu", fmt::format("its process runs on {}", vm.remote_client->host));
  }
  const HostSettings& host = each.host.settings;
  if (host.dpu_offload) check_dpu(each);
  if (host.bios.ats && !each.has("ats")) {
    each.found("ats-version",
               fmt::format("ATS comes with vSphere {}", each.layout.facts.versions.since("ats")));
  }
  if (each.host.numa_cores && vm.settings.vcpus && *vm.settings.vcpus > *each.host.numa_cores) {
    each.found("vm-wider-than-numa",
               fmt::format("{} vCPUs, and a NUMA node of its host has {} cores", *vm.settings.vcpus,
                           *each.host.numa_cores));
  } else if (each.host.numa_memory && vm.settings.memory &&
             *vm.settings.memory > *each.host.numa_memory) {
    each.found("vm-wider-than-numa", "more memory than a NUMA node of its host has");
  }
}

}  // namespace vgsim::vsphere
