#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/vsphere/facts/facts.hpp"
#include "models/vsphere/placement/gpu_occupancy.hpp"
#include "models/vsphere/placement/host_inventory.hpp"
#include "models/vsphere/placement/host_room.hpp"
#include "models/vsphere/spec/device_group.hpp"
#include "models/vsphere/vm.hpp"

namespace vgsim::vsphere {

/// A GPU, or a part of one, that a VM has got.
struct TakenGpu {
  std::size_t gpu = 0;               ///< index into the host's
  const Profile* profile = nullptr;  ///< of a vGPU
  std::optional<std::size_t> group;  ///< number of the NVLink device group that it came with
};

/// Assigns the GPUs of a host to one VM after the other, like vSphere and Fabric Manager.
/// Assignments do not change later.
///
/// A device group is assigned completely: on an NVSwitch board as a partition, preferably one that
/// keeps larger partitions free. vGPUs are spread over GPUs or fill one after the other, by the
/// host's setting. Source: F. Denneman, vSphere ML accelerator series, 2023 to 2026.
class HostAssignment {
 public:
  /// Inventory and facts must outlive it. `version` is one of Versions::words(); refusals call the
  /// host `name`, or as its inventory does.
  HostAssignment(const HostInventory& host, const Facts& facts, std::string_view version,
                 std::string_view name = {});

  [[nodiscard]] const HostInventory& host() const { return *host_; }
  [[nodiscard]] const std::vector<GpuOccupancy>& gpus() const { return gpus_; }
  [[nodiscard]] std::size_t free_gpus() const;
  /// The number of further vGPUs of a profile that fit on a GPU.
  [[nodiscard]] std::size_t room_on(std::size_t gpu, const Profile& profile) const;

  /// Reserves CPUs and memory for a further VM.
  void take_room(const HostDemand& demand, std::vector<Refusal>& refusals);
  /// This GPU, whole (without a profile) or as a vGPU.
  [[nodiscard]] std::optional<TakenGpu> take_gpu(std::size_t gpu, const Profile* profile,
                                                 std::vector<Refusal>& refusals);
  /// Any GPU that has the label, if one is asked for, in the same way.
  [[nodiscard]] std::optional<TakenGpu> take_any(const Profile* profile,
                                                 const std::optional<std::string>& label,
                                                 std::vector<Refusal>& refusals);
  /// Whether the GPU has the hardware label, if one is asked for.
  [[nodiscard]] bool has_label(std::size_t gpu, const std::optional<std::string>& label) const;
  /// All members of a group, or none; `number` identifies the group within its VM.
  [[nodiscard]] std::vector<TakenGpu> take_group(const DeviceGroup& group, const Profile& profile,
                                                 std::size_t number,
                                                 std::vector<Refusal>& refusals);

  /// The partitions of the NVSwitch board that are free, as module ids.
  [[nodiscard]] std::vector<std::vector<std::int64_t>> free_partitions() const;

 private:
  [[nodiscard]] SharingRules sharing_rules() const;
  /// The rule against this assignment of the GPU, or nullptr.
  [[nodiscard]] const char* refuses(std::size_t gpu, const Profile* profile) const;
  void check_version(const Profile& profile, std::vector<Refusal>& refusals) const;
  [[nodiscard]] std::vector<std::size_t> by_preference(const Profile* profile) const;
  [[nodiscard]] std::vector<std::size_t> find_members(const DeviceGroup& group) const;
  /// The version of vSphere that brought vGPU groups to the host's NVSwitch board.
  [[nodiscard]] const std::string& switch_groups_since() const;
  [[nodiscard]] std::vector<std::size_t> find_partition(std::size_t size) const;
  [[nodiscard]] std::size_t gpu_of_module(std::int64_t module) const;
  [[nodiscard]] bool is_free(const std::vector<std::int64_t>& modules) const;
  /// The number of larger free partitions that this one would occupy in part.
  [[nodiscard]] std::size_t breaks(const std::vector<std::int64_t>& modules) const;

  const HostInventory* host_;
  const Facts* facts_;
  std::string version_;
  std::string name_;
  std::vector<GpuOccupancy> gpus_;
  Bytes reserved_{};  ///< memory, by VMs that it has
};

}  // namespace vgsim::vsphere
