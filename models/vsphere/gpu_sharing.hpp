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

/// How a GPU of a VM is shared with others, and what that costs.
struct GpuSharing {
  const char* title = nullptr;  ///< of the speed that is lost: "vGPU"
  /// The model's parameter, of the speed that is left: "vgpu_compute_share"; nullptr: all is.
  const char* compute_share = nullptr;
  bool in_turns = false;  ///< one VM after the other
  bool is_split = false;  ///< each VM owns a part of the GPU's multiprocessors and memory
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
  double demand = 1.0;  ///< share of the GPU's time that it has work for, 0 to 1
};

/// What a scheduler gives to the first of `tenants`, which always has work: 0 to 1.
///
/// Best effort goes round among those with work, so that what one does not use goes to the others
/// (the max-min fair share). Equal share gives 1/N to each of the N that run, and fixed share 1/N
/// of the `per_gpu` that the profile allows, whether the others have work or not.
/// Source: NVIDIA AI Enterprise 5.0 user guide, chapter 7.
[[nodiscard]] double share_of_first(Scheduler scheduler, const std::vector<Tenant>& tenants,
                                    std::int64_t per_gpu);

/// How long the first of `tenants` waits at most for its turn.
[[nodiscard]] SimTime longest_wait(Scheduler scheduler, const std::vector<Tenant>& tenants,
                                   std::int64_t per_gpu, SimTime slice);

/// The slice of a profile: what the host is set to, else 2 ms, or 1 ms where a GPU takes more than
/// eight of the profile. Best effort has no setting. Source: NVIDIA, virtual GPU software user
/// guide, chapter on scheduling.
[[nodiscard]] SimTime time_slice(const VgpuSettings& host, const Profile& profile);

/// The profile of a time-sliced vGPU of a VM; nullptr for any other GPU.
[[nodiscard]] const Profile* time_sliced(const VirtualMachine& vm, std::size_t position);

/// Whether a GPU of a VM is used in turns: by other vGPUs that are there, or, with fixed shares, by
/// those that could be. `vms`: of all hosts.
[[nodiscard]] bool takes_turns(const std::vector<HostInventory>& hosts,
                               const std::vector<VirtualMachine>& vms, const VirtualMachine& vm,
                               std::size_t position);

/// What the time-sliced vGPUs on one GPU of a host want of its time together: 1 for all of it.
[[nodiscard]] double demand_on(const std::vector<VirtualMachine>& vms, std::size_t host,
                               std::size_t gpu);

/// Fills in VirtualMachine::shares for the VMs of all hosts: MIG-backed vGPUs own slices of a GPU,
/// time-sliced ones take turns with those that they share it with.
void share_gpus(const std::vector<HostInventory>& hosts, std::vector<VirtualMachine>& vms);

}  // namespace vgsim::vsphere
