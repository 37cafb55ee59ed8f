#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/units.hpp"
#include "topology/input/shape.hpp"

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
[[nodiscard]] input::Shape driver_release_shape();

/// What an ESXi host is set to.
struct HostSettings {
  bool iommu = true;         ///< VT-d or AMD-Vi
  bool sriov = true;         ///< SR-IOV in the BIOS
  bool above_4g = true;      ///< memory mapping above 4 GiB
  bool ats = false;          ///< devices cache the IOMMU's translations
  bool dpu_offload = false;  ///< its virtual switch runs on a DPU
  Scheduler scheduler = Scheduler::kBestEffort;
  std::optional<SimTime> time_slice;
  bool mixed_sizes = false;   ///< time-sliced profiles of different sizes on one GPU
  bool consolidates = false;  ///< fills GPUs one after the other instead of spreading vGPUs
  std::optional<DriverRelease> vgpu_manager;
  std::optional<std::int64_t> numa_cores;  ///< of one NUMA node
  std::optional<Bytes> numa_memory;        ///< of one NUMA node
  BytesPerSecond vmotion{1'250'000'000};   ///< of the vMotion network
};

/// The keys of a host in a scenario that this is read from.
[[nodiscard]] std::vector<input::Field> host_settings_fields();

/// Reads them from a host that has been checked.
[[nodiscard]] HostSettings read_host_settings(const input::Value& host);

}  // namespace vgsim::vsphere
