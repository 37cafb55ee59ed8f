#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/vsphere/facts/profiles.hpp"
#include "models/vsphere/placement/host_assignment.hpp"
#include "models/vsphere/spec/device_group.hpp"
#include "models/vsphere/vm.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/origin.hpp"

namespace vgsim::vsphere {

/// The GPUs that a VM requests.
struct GpuRequest {
  const GpuMode* mode = &default_gpu_mode();
  std::optional<std::vector<input::At<std::string>>> devices;  ///< names of GPUs
  struct Group {
    DeviceGroup group;
    const Profile* profile = nullptr;
  };
  std::vector<Group> groups;
  std::optional<std::size_t> count;
  std::optional<std::string> label;      ///< hardware label of the GPUs
  const Profile* profile = nullptr;      ///< of vGPUs outside groups
  std::vector<const Profile*> profiles;  ///< of different vGPUs, one entry each
  bool fraction_in_passthrough = false;  ///< a profile is given despite passthrough

  /// Neither names, nor groups, nor a number: all free GPUs.
  [[nodiscard]] bool takes_rest() const {
    return !devices && groups.empty() && profiles.empty() && !count;
  }
};

/// The request of a VM. Reports unknown profiles.
[[nodiscard]] GpuRequest gpu_request(const VmSpec& vm, const Profiles& profiles,
                                     input::Diagnostics& diagnostics);

/// A kind of request, in the order of assignment.
enum class Serving { kNamed, kGroups, kCounted, kRest };

/// Assigns the requested GPUs of that kind to a VM.
void serve(const GpuRequest& request, Serving kind, HostAssignment& host,
           std::vector<TakenGpu>& taken, std::vector<Refusal>& refusals,
           input::Diagnostics& diagnostics);

}  // namespace vgsim::vsphere
