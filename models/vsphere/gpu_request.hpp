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

/// The GPUs that a VM asks for.
struct GpuRequest {
  const GpuMode* mode = &default_gpu_mode();
  std::optional<std::vector<input::At<std::string>>> devices;  ///< names of GPUs
  struct Group {
    DeviceGroup group;
    const Profile* profile = nullptr;
  };
  std::vector<Group> groups;
  std::optional<std::size_t> count;
  const Profile* profile = nullptr;      ///< of what is in no group
  bool fraction_in_passthrough = false;  ///< a profile was asked for all the same

  /// Neither names, nor groups, nor a number: all that is left.
  [[nodiscard]] bool takes_rest() const { return !devices && groups.empty() && !count; }
};

/// What a VM asks for. Reports profiles that do not exist.
[[nodiscard]] GpuRequest gpu_request(const VmSpec& vm, const Profiles& profiles,
                                     input::Diagnostics& diagnostics);

/// A kind of request: names are served before groups, and so on.
enum class Serving { kNamed, kGroups, kCounted, kRest };

/// Gives a VM what it asks for of that kind.
void serve(const GpuRequest& request, Serving kind, HostAssignment& host,
           std::vector<TakenGpu>& taken, std::vector<Refusal>& refusals,
           input::Diagnostics& diagnostics);

}  // namespace vgsim::vsphere
