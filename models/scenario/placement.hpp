#pragma once

#include <string>
#include <vector>

#include "models/collectives/placed_network.hpp"
#include "models/collectives/ring.hpp"
#include "models/scenario/cluster.hpp"
#include "models/scenario/job.hpp"
#include "models/scenario/result.hpp"
#include "models/vsphere/guest_view.hpp"

namespace vgsim::scenario {

/// A job on its machines: what its guests see, and the rings that join its ranks. Views and plan
/// point into the cluster, so it does not move.
struct Placement {
  Placement() = default;
  Placement(const Placement&) = delete;
  Placement& operator=(const Placement&) = delete;

  LayoutInput input;
  Cluster cluster;
  Job job;
  std::vector<vsphere::GuestView> views;   ///< by Cluster::kinds, as far as the job uses them
  std::vector<collectives::PlacedVm> vms;  ///< of the job, in rank order
  std::vector<std::size_t> machine_of_vm;  ///< by index into vms: index into Cluster::machines
  collectives::RingPlan plan;
  collectives::StepLatencies latencies;
};

/// A rank, or as many as do the very same.
struct RankClass {
  std::size_t vm = 0;     ///< index into Placement::vms, of the first
  std::size_t gpu = 0;    ///< of that VM
  std::size_t count = 1;  ///< ranks that it stands for
};

/// All ranks in rank order, or one for each GPU of each kind of VM.
[[nodiscard]] std::vector<RankClass> ranks_of(const Placement& placement,
                                              collectives::PlacedNetwork::Form form);

/// The links of the cluster as resources, with the scenario's faults.
[[nodiscard]] collectives::PlacedNetwork place_network(const Placement& placement,
                                                       collectives::PlacedNetwork::Form form);

/// The name of the first link that a resource stands for: "esx01/vmnic4 -> leaf1".
[[nodiscard]] std::string link_name(const Placement& placement,
                                    const collectives::PlacedNetwork& network, ResourceId id);

/// "esx01/gpu0".
[[nodiscard]] std::string rank_name(const Placement& placement, const RankClass& rank);

}  // namespace vgsim::scenario
