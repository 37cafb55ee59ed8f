#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/units.hpp"
#include "topology/input/origin.hpp"

namespace vgsim::vsphere {

/// The scheduler of time-sliced vGPUs.
enum class Scheduler : std::uint8_t {
  kBestEffort,  ///< round robin over those with work; unused time goes to the others
  kEqualShare,  ///< 1/N to each of the N that run
  kFixedShare,  ///< 1/N to each, with N the maximum number of the profile on a GPU
};

/// A release of NVIDIA's vGPU software: branch and update, "15.2".
struct DriverRelease {
  std::int64_t branch = 0;
  std::int64_t update = 0;

  auto operator<=>(const DriverRelease&) const = default;
};

/// "15.2", or a branch alone; nothing for another text.
[[nodiscard]] std::optional<DriverRelease> parse_driver_release(std::string_view text);

/// Settings of the BIOS of a host.
struct BiosSettings {
  bool iommu{};  ///< VT-d or AMD-Vi
  bool sriov{};
  bool above_4g{};  ///< memory mapping above 4 GiB
  bool ats{};       ///< devices cache the IOMMU's translations
};

/// What the IOMMU does with the addresses of devices.
enum class Iommu : std::uint8_t {
  kUnstated,  ///< it translates for devices of VMs only
  kOff,
  kPassthrough,  ///< it leaves them as they are (iommu=pt)
  kTranslate,
};

/// Settings for sharing the GPUs of a host.
struct VgpuSettings {
  Scheduler scheduler{};
  std::optional<SimTime> time_slice;
  bool mixed_sizes{};   ///< time-sliced profiles of different sizes on one GPU
  bool consolidates{};  ///< fills GPUs one after the other instead of spreading vGPUs
};

/// Settings of an ESXi host.
struct HostSettings {
  BiosSettings bios;
  Iommu iommu{};  ///< of the host's operating system; a hypervisor translates for VMs
  VgpuSettings vgpu;
  bool dpu_offload{};  ///< its virtual switch runs on a DPU
  std::optional<DriverRelease> vgpu_manager;
  BytesPerSecond vmotion{};  ///< of the vMotion network
  /// Hardware labels (Assignable Hardware) of its GPUs, by name or pattern.
  std::vector<input::Named<std::string>> gpu_labels;
};

}  // namespace vgsim::vsphere
