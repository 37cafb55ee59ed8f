#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/units.hpp"

namespace vgsim::vsphere {

/// How vGPUs share a GPU in time.
enum class Scheduler : std::uint8_t {
  kBestEffort,  ///< round robin over those with work; what one does not use goes to the others
  kEqualShare,  ///< 1/N to each of the N that run
  kFixedShare,  ///< 1/N to each, N being how many of the profile a GPU takes
};

/// A release of NVIDIA's vGPU software: branch and update, "15.2".
struct DriverRelease {
  std::int64_t branch = 0;
  std::int64_t update = 0;
};

/// "15.2", or a branch alone; nothing for another text.
[[nodiscard]] std::optional<DriverRelease> parse_driver_release(std::string_view text);

/// What is switched on in the BIOS of a host.
struct BiosSettings {
  bool iommu{};  ///< VT-d or AMD-Vi
  bool sriov{};
  bool above_4g{};  ///< memory mapping above 4 GiB
  bool ats{};       ///< devices cache the IOMMU's translations
};

/// How the GPUs of a host are shared.
struct VgpuSettings {
  Scheduler scheduler{};
  std::optional<SimTime> time_slice;
  bool mixed_sizes{};   ///< time-sliced profiles of different sizes on one GPU
  bool consolidates{};  ///< fills GPUs one after the other instead of spreading vGPUs
};

/// What an ESXi host is set to.
struct HostSettings {
  BiosSettings bios;
  VgpuSettings vgpu;
  bool dpu_offload{};  ///< its virtual switch runs on a DPU
  std::optional<DriverRelease> vgpu_manager;
  BytesPerSecond vmotion{};  ///< of the vMotion network
};

}  // namespace vgsim::vsphere
