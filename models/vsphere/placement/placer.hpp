#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/vsphere/gpu_request.hpp"
#include "models/vsphere/placement/host_assignment.hpp"
#include "models/vsphere/spec/vm_spec.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::vsphere {

/// A VM that is to be placed.
struct PlacementRequest {
  std::string vm;
  std::optional<std::size_t> host;  ///< if it is tied to one: index into the hosts
  GpuRequest gpus;
  std::int64_t power_on = 0;
  HostDemand demand;
};

/// The request of a VM on any host. Reports unknown profiles.
[[nodiscard]] PlacementRequest placement_request(std::string vm, const VmSpec& spec,
                                                 const Profiles& profiles,
                                                 input::Diagnostics& diagnostics);

/// Whether a VM is placed before another one that is powered on at the same time: by the size of
/// its request, then by natural order of names.
[[nodiscard]] bool served_before(const PlacementRequest& a, const PlacementRequest& b);
/// Whether the request of a VM is larger: the larger group, more GPUs, more framebuffer.
[[nodiscard]] bool asks_for_more(const PlacementRequest& a, const PlacementRequest& b);

/// A tentative placement of a VM on a host; `host` is its state afterwards. Refused if there are
/// any refusals.
struct Trial {
  HostAssignment host;
  std::vector<TakenGpu> gpus;
  std::vector<Refusal> refusals;
};

[[nodiscard]] Trial attempt(const PlacementRequest& vm, const HostAssignment& host);

/// A host; hosts of one kind share the inventory.
struct PlacementHost {
  std::string name;
  const HostInventory* inventory = nullptr;
};

/// The number of free device groups of a host by size, largest first.
using FreeGroups = std::map<std::size_t, std::size_t, std::greater<>>;

/// The placement of one VM.
struct PlacementStep {
  std::string vm;
  std::optional<std::size_t> host;  ///< empty if it cannot be placed
  std::vector<TakenGpu> gpus;
  std::vector<Refusal> refusals;  ///< of the host with the fewest
  FreeGroups free;                ///< on its host afterwards
};

/// Free resources of a host at the end.
struct HostLeft {
  std::size_t free_gpus = 0;
  FreeGroups free;
  /// GB of framebuffer on GPUs with vGPUs that no further vGPU of the sizes there can use.
  std::int64_t stranded_gb = 0;
  /// GB of framebuffer that only vGPUs of the sizes there can use.
  std::int64_t bound_gb = 0;
};

struct PlacementReport {
  std::vector<PlacementStep> steps;  ///< in the order in which the VMs got their GPUs
  std::vector<HostLeft> left;        ///< by host
  /// If a VM cannot be placed: an order in which all VMs can be placed, if descending size is one.
  std::optional<std::vector<std::string>> better_order;

  [[nodiscard]] bool all_fit() const;
};

/// Places VMs like vSphere. The order is by power-on number, then VMs with a fixed host before
/// others, then named devices, device groups and counts, then natural order of names. Of the hosts
/// with enough GPUs, memory and CPUs, Assignable Hardware selects the one with the most free GPUs,
/// or with the fewest if the hosts are set to consolidate.
[[nodiscard]] PlacementReport place_vms(const std::vector<PlacementHost>& hosts,
                                        const std::vector<PlacementRequest>& vms,
                                        const Facts& facts, std::string_view version);

}  // namespace vgsim::vsphere
