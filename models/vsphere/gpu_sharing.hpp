#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/vsphere/placement/host_inventory.hpp"
#include "models/vsphere/spec/host_settings.hpp"
#include "models/vsphere/vm.hpp"

namespace vgsim::vsphere {

/// A GPU of a VM among all VMs that may share it.
struct SharedGpu {
  const std::vector<HostInventory>& hosts;
  const std::vector<VirtualMachine>& vms;  ///< of all hosts
  const VirtualMachine& vm;
  std::size_t position = 0;  ///< of the VM's GPUs

  [[nodiscard]] const Profile& profile() const { return *vm.profiles[position]; }
  [[nodiscard]] const HostInventory& host() const { return hosts[vm.host]; }
};

/// Sharing of a GPU of a VM with others, and its cost.
struct GpuSharing {
  const char* title = nullptr;  ///< of the lost speed, in results: "vGPU"
  /// Parameter of the remaining speed (share of bare metal): "vgpu_compute_share"; nullptr: 1.
  const char* compute_share = nullptr;
  bool is_time_sliced = false;  ///< the VMs use the GPU one after the other
  bool is_split = false;        ///< each VM owns a part of the GPU's multiprocessors and memory
  GpuShare (*share)(const SharedGpu& gpu) = nullptr;  ///< nullptr: all of it is the VM's
};

extern const GpuSharing kBareGpu;
extern const GpuSharing kPassedGpu;
extern const GpuSharing kTimeSliced;
extern const GpuSharing kMigBacked;

/// By the VM's mode and the profile of the GPU at that position.
[[nodiscard]] const GpuSharing& sharing_of(const VirtualMachine& vm, std::size_t position);

/// A vGPU that shares a GPU in time, as the scheduler sees it.
struct Tenant {
  double demand = 1.0;  ///< share of the time in which it has work, 0 to 1
};

/// The share of the GPU's time, 0 to 1, of the first of `tenants`, which always has work.
///
/// Best effort alternates among those with work, so unused time goes to the others
/// (the max-min fair share). Equal share gives 1/N to each of the N that run, and fixed share 1/N
/// of the `per_gpu` vGPUs that the profile allows, with or without work of the others.
/// Source: NVIDIA AI Enterprise 5.0 user guide, chapter 7.
[[nodiscard]] double share_of_first(Scheduler scheduler, const std::vector<Tenant>& tenants,
                                    std::int64_t per_gpu);

/// The longest wait of the first of `tenants` for its time slice: `slice` times the number of other
/// slots, which are the tenants with work (best effort), all other tenants (equal share), or
/// `per_gpu`
/// - 1 (fixed share). Without the time of switches. Source: as of share_of_first().
[[nodiscard]] SimTime longest_wait(Scheduler scheduler, const std::vector<Tenant>& tenants,
                                   std::int64_t per_gpu, SimTime slice);

/// The time slice of a profile: the host's setting (not for best effort), otherwise 2 ms, or 1 ms
/// if the profile allows more than eight vGPUs on a GPU. Source: NVIDIA, virtual GPU software user
/// guide, chapter on scheduling.
[[nodiscard]] SimTime time_slice(const VgpuSettings& host, const Profile& profile);

/// The profile of a time-sliced vGPU of a VM; nullptr for any other GPU.
[[nodiscard]] const Profile* time_sliced(const VirtualMachine& vm, std::size_t position);

/// Whether a GPU of a VM is time-sliced: with existing other vGPUs or, with fixed shares, with
/// possible ones. `vms`: of all hosts.
[[nodiscard]] bool has_time_slices(const std::vector<HostInventory>& hosts,
                                   const std::vector<VirtualMachine>& vms, const VirtualMachine& vm,
                                   std::size_t position);

/// The total load of the time-sliced vGPUs on one GPU of a host; 1 is 100 %.
[[nodiscard]] double demand_on(const std::vector<VirtualMachine>& vms, std::size_t host,
                               std::size_t gpu);

/// Sets VirtualMachine::shares for the VMs of all hosts: MIG-backed vGPUs own slices of a GPU,
/// time-sliced ones share it over time.
void share_gpus(const std::vector<HostInventory>& hosts, std::vector<VirtualMachine>& vms);

}  // namespace vgsim::vsphere
