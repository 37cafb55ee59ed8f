#include <fmt/format.h>

#include <algorithm>

#include "models/vsphere/legality/checks.hpp"
#include "models/vsphere/numa_placement.hpp"

namespace vgsim::vsphere {
namespace {

/// The GPU before Ampere whose vGPUs are virtual functions. Source: F. Denneman 2023-05-30.
constexpr const char* kSriovBoard = "t4";
constexpr std::int64_t kGiB = std::int64_t{1} << 30;
/// MMIO space in GB that a VM has once 64-bit MMIO is on.
constexpr std::int64_t kDefaultMmioGb = 32;
/// BAR1 above which a VM needs EFI firmware, and the host memory mapping above 4 GiB.
constexpr Bytes kSmallBar{kGiB / 4};
/// BAR1 of a GPU in passthrough from which its VM needs 64-bit MMIO.
constexpr Bytes kWideInPassthrough{16 * kGiB};
/// The same of the GPU of a vGPU, in VMs of so much memory.
constexpr Bytes kWideAsVgpu{32 * kGiB};
constexpr Bytes kVgpuVmMemory{32'000'000'000};

bool has_large_bar(const Case& each, std::size_t gpu) {
  const Board* board = each.host.boards[gpu];
  return board == nullptr || board->bar1 > kSmallBar;
}

std::int64_t power_of_two_above(std::int64_t value) {
  std::int64_t power = 1;
  while (power <= value) power *= 2;
  return power;
}

/// 64-bit MMIO space of a VM, in GB.
struct MmioSize {
  std::int64_t sum = 0;   ///< of the BAR1s of its GPUs
  std::int64_t safe = 0;  ///< the usual advice: of each the next power of two, summed up
  std::string terms;      ///< "16 + 16 + 16"
  [[nodiscard]] std::int64_t least() const { return power_of_two_above(sum); }
};

/// BARs begin at multiples of their size, and each GPU has two small ones besides, so that the
/// space must be larger than the sum of the BAR1s. Sources: VMware 2018-10, F. Denneman 2023-05-30.
MmioSize mmio_size(const Case& each) {
  MmioSize size;
  for (const std::size_t gpu : each.vm.gpus) {
    const Board* board = each.host.boards[gpu];
    if (board == nullptr || board->bar1 < kWideInPassthrough) continue;
    const std::int64_t bar1 = board->bar1.count() / kGiB;
    size.sum += bar1;
    size.safe += power_of_two_above(bar1);
    size.terms += fmt::format("{}{}", size.terms.empty() ? "" : " + ", bar1);
  }
  return size;
}

/// Whether the defaults suffice for a VM with vGPUs: NVIDIA requires MMIO settings for VMs of
/// 32 GB and more whose GPUs need 64 GB or more.
bool vgpu_needs_no_mmio(const Case& each) {
  if (!each.has_vgpus()) return false;
  const auto& memory = each.vm.settings.memory;
  return (memory && *memory < kVgpuVmMemory) ||
         std::none_of(each.vm.gpus.begin(), each.vm.gpus.end(), [&](std::size_t gpu) {
           const Board* board = each.host.boards[gpu];
           return board != nullptr && board->bar1 >= kWideAsVgpu;
         });
}

void check_mmio(const Case& each) {
  const AdvancedSettings& settings = each.vm.settings.advanced;
  const MmioSize size = mmio_size(each);
  if (size.sum == 0 || vgpu_needs_no_mmio(each)) return;
  if (settings.wide_mmio && !*settings.wide_mmio) {
    each.found("mmio-64bit-off", "pciPassthru.use64bitMMIO is not TRUE");
    return;
  }
  if (!settings.mmio_gb && !settings.wide_mmio) return;
  const std::int64_t has = settings.mmio_gb.value_or(kDefaultMmioGb);
  const std::string of = fmt::format(
      "pciPassthru.64bitMMIOSizeGB is {}; the BAR1s of its GPUs take {}{} GB", has, size.terms,
      size.terms.find('+') == std::string::npos ? "" : fmt::format(" = {}", size.sum));
  if (has <= size.sum) {
    each.found("mmio-too-small",
               fmt::format("{}, and the next power of two above is {}", of, size.least()));
  } else if (has < size.safe) {
    each.found("mmio-below-advice",
               fmt::format("{}; the usual advice, the next power of two for each GPU, is {}", of,
                           size.safe));
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
        return board != nullptr && (board->is_ampere_or_newer() || board->name == kSriovBoard);
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

/// HGX boards whose NVSwitches need a Fabric Manager on ESXi, which vGPU brings from a release on.
void check_fabric_manager(const Case& each) {
  if (!each.has_vgpus() || each.host.partitions == nullptr) return;
  const BoardPartitions& board = *each.host.partitions;
  if (!board.fabric_manager) return;
  const DriverRelease& needed = *board.fabric_manager;
  const auto& manager = each.host.settings.vgpu_manager;
  const std::string text = fmt::format("{} needs the Fabric Manager of vGPU {}.{}", board.name,
                                       needed.branch, needed.update);
  if (manager && *manager < needed) {
    each.found("fabric-manager-missing",
               fmt::format("{}, but its host has {}.{}", text, manager->branch, manager->update));
  } else if (is_older(each.layout.version, board.vgpu_since)) {
    each.found(
        "fabric-manager-missing",
        fmt::format("{}, but vSphere {} is older than every version with vGPUs on such boards ({})",
                    text, each.layout.version, board.vgpu_since));
  } else if (!manager) {
    each.found("fabric-manager-needed", text);
  }
}

/// The vGPUs of a VM are of one board and one series; their sizes may differ.
void check_alike_vgpus(const Case& each) {
  const Profile* first = nullptr;
  for (const Profile* profile : each.vm.profiles) {
    if (profile == nullptr) continue;
    if (first == nullptr) first = profile;
    if (profile->board == first->board && profile->series == first->series) continue;
    each.found("multi-vgpu-not-alike",
               fmt::format("its vGPUs \"{}\" and \"{}\" are of different {}", first->name,
                           profile->name, profile->board == first->board ? "series" : "boards"));
    return;
  }
}

/// Several vGPUs in one VM: before 8.0 whole time-sliced ones alone.
void check_multi_vgpu(const Case& each) {
  const VirtualMachine& vm = each.vm;
  if (!each.has_vgpus() || vm.profiles.size() < 2) return;
  check_alike_vgpus(each);
  const auto is_part = [](const Profile* profile) {
    return profile != nullptr && !profile->is_whole();
  };
  const auto part = std::find_if(vm.profiles.begin(), vm.profiles.end(), is_part);
  if (part != vm.profiles.end() && !each.has("multi-vgpu-fractions")) {
    each.found("multi-vgpu-fraction-version",
               fmt::format("{} vGPUs with \"{}\", which is not a whole GPU; before vSphere {} "
                           "several vGPUs of a VM must be whole GPUs",
                           vm.profiles.size(), (*part)->name,
                           each.layout.facts.versions.since("multi-vgpu-fractions")));
  }
}

/// Findings about a mode of the VM's NICs.
void check_nic_mode(const Case& each, const NicMode& mode) {
  if (!mode.is_measured) {
    const auto of = [&](const char* which) {
      return each.layout.parameters.describe(std::string(mode.parameters) + which);
    };
    each.found("nic-kind-unmeasured",
               fmt::format("no published throughput or latency of {}: {} of the port assumed; each "
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
  const auto needed = each.layout.facts.versions.hardware_for(mode.feature);
  const auto& hardware = each.vm.settings.hardware_version;
  if (needed && hardware && *hardware < *needed) {
    each.found(feature + "-version", fmt::format("{} needs virtual hardware {}, but it has {}",
                                                 mode.title, *needed, *hardware));
    return;
  }
  const auto& nics = each.layout.topology.hosts[each.vm.host].nics;
  for (const VmNic& nic : each.vm.nics) {
    if (nic.mode != &mode) continue;
    each.found(feature + "-driver",
               fmt::format("{} needs a vendor driver that supports it", nics[nic.host_nic].name));
  }
}

/// PVRDMA needs an RDMA adapter of the host (a host channel adapter).
void check_pvrdma(const Case& each) {
  const auto& nics = each.layout.topology.hosts[each.vm.host].nics;
  for (const VmNic& nic : each.vm.nics) {
    if (nic.mode != &nic_mode("pvrdma") || nics[nic.host_nic].rdma) continue;
    each.found(
        "pvrdma-no-hca",
        fmt::format(
            "{} has no RDMA: PVRDMA falls back to TCP, and is simulated as RDMA all the same",
            nics[nic.host_nic].name));
  }
}

/// Whether memory and vCPUs are on the nodes of the GPUs.
void check_numa_node(const Case& each) {
  const VirtualMachine& vm = each.vm;
  const topology::Host& host = each.layout.topology.hosts[vm.host];
  if (vm.numa.memory.empty() || vm.gpus.empty()) return;
  const auto holds = [&](std::size_t node) {
    return std::any_of(vm.numa.memory.begin(), vm.numa.memory.end(),
                       [&](const NumaPlacement::Part& part) { return part.node == node; });
  };
  std::size_t away = 0;
  for (const std::size_t gpu : vm.gpus) {
    if (!holds(node_of_device(each.layout.topology, host, host.gpus[gpu]))) ++away;
  }
  // GPUs of several nodes would need a VM that spans these nodes.
  const bool chosen = !vm.settings.advanced.node_affinity.empty();
  if (away == 0 || (away < vm.gpus.size() && !chosen)) return;
  each.found("vm-on-other-numa-node",
             fmt::format("{} of its {} GPUs on other NUMA nodes than its memory and vCPUs, which "
                         "are on node {}",
                         away, vm.gpus.size(), fmt::join(vm.numa.nodes, ", ")));
}

void check_nic_modes(const Case& each) {
  check_pvrdma(each);
  for (const NicMode& mode : nic_modes()) {
    const bool is_used = std::any_of(each.vm.nics.begin(), each.vm.nics.end(),
                                     [&](const VmNic& nic) { return nic.mode == &mode; });
    if (is_used) check_nic_mode(each, mode);
  }
}

}  // namespace

void check_prerequisites(const Case& each) {
  const VirtualMachine& vm = each.vm;
  if (!each.layout.facts.versions.runs_on(each.host.cpu)) {
    each.found("esx-needs-x86", fmt::format("its host has {} CPUs", each.host.cpu));
  }
  check_mmio(each);
  check_fabric_manager(each);
  check_multi_vgpu(each);
  check_bios(each);
  check_nic_modes(each);
  if (!vm.settings.memory_reserved && (!vm.gpus.empty() || passed_nics(vm) > 0)) {
    each.found("memory-not-reserved", "guest memory is not fully reserved");
  }
  if (vm.settings.cpu_hot_add) {
    each.found("cpu-hot-add-no-vnuma",
               "CPU hot add is on: its memory is spread over the NUMA nodes");
  }
  if (vm.settings.other_devices.nvme_snap > 0) {
    each.found("nvme-snap", "it has an NVMe SNAP device of a DPU");
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
                 fmt::format("dynamic DirectPath I/O needs virtual hardware {}, but it has {}",
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
  check_numa_node(each);
  const std::int64_t threads = vm.settings.advanced.prefer_ht ? 2 : 1;
  if (each.host.numa_cores && vm.settings.vcpus &&
      *vm.settings.vcpus > *each.host.numa_cores * threads) {
    each.found("vm-wider-than-numa",
               fmt::format("{} vCPUs, but a NUMA node of its host has {} cores", *vm.settings.vcpus,
                           *each.host.numa_cores));
  } else if (each.host.numa_memory && vm.settings.memory &&
             *vm.settings.memory > *each.host.numa_memory) {
    each.found("vm-wider-than-numa", "more memory than a NUMA node of its host has");
  }
}

}  // namespace vgsim::vsphere
