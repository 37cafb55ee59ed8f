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

/// Of a VM on any host. Reports profiles that do not exist.
[[nodiscard]] PlacementRequest placement_request(std::string vm, const VmSpec& spec,
                                                 const Profiles& profiles,
                                                 input::Diagnostics& diagnostics);

/// Whether a VM is served before another one that is powered on at the same time: by what it asks
/// for, then by natural order of names.
[[nodiscard]] bool served_before(const PlacementRequest& a, const PlacementRequest& b);
/// Whether a VM asks for more: the larger group, more GPUs, more framebuffer.
[[nodiscard]] bool asks_for_more(const PlacementRequest& a, const PlacementRequest& b);

/// What a VM would get of a host, which is `host` afterwards; refused if there are any refusals.
struct Trial {
  HostAssignment host;
  std::vector<TakenGpu> gpus;
  std::vector<Refusal> refusals;
};

[[nodiscard]] Trial attempt(const PlacementRequest& vm, const HostAssignment& host);

/// A host with what it has; hosts of one kind share the inventory.
struct PlacementHost {
  std::string name;
  const HostInventory* inventory = nullptr;
};

/// How many device groups of a size a host could still give, by size, largest first.
using FreeGroups = std::map<std::size_t, std::size_t, std::greater<>>;

/// What became of one VM.
struct PlacementStep {
  std::string vm;
  std::optional<std::size_t> host;  ///< nothing if it fits nowhere
  std::vector<TakenGpu> gpus;
  std::vector<Refusal> refusals;  ///< of the host that had the fewest objections
  FreeGroups free;                ///< on its host afterwards
};

/// What is left on a host in the end.
struct HostLeft {
  std::size_t free_gpus = 0;
  FreeGroups free;
  /// GB of framebuffer on GPUs that carry vGPUs, that no further vGPU of the sizes there can use.
  std::int64_t stranded_gb = 0;
  /// And those that only vGPUs of the sizes there can use.
  std::int64_t bound_gb = 0;
};

struct PlacementReport {
  std::vector<PlacementStep> steps;  ///< in the order in which the VMs got their GPUs
  std::vector<HostLeft> left;        ///< by host
  /// Where some VM fits nowhere: an order of all VMs in which every one of them fits, if the
  /// largest first makes one.
  std::optional<std::vector<std::string>> better_order;

  [[nodiscard]] bool all_fit() const;
};

/// Places VMs as vSphere would: those that are powered on first; of these the ones that have no
/// choice of hosts, so that none that has one takes their place; of these named devices, then
/// device groups, then counts, each in natural order of names. Of the hosts that can take a VM
/// with its GPUs, memory and CPUs,
/// Assignable Hardware takes the one with the most free GPUs, or with the fewest if the hosts are
/// set to consolidate.
[[nodiscard]] PlacementReport place_vms(const std::vector<PlacementHost>& hosts,
                                        const std::vector<PlacementRequest>& vms,
                                        const Facts& facts, std::string_view version);

}  // namespace vgsim::vsphere
