#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/collectives/placed_network.hpp"
#include "models/collectives/rank_group.hpp"
#include "models/collectives/spread.hpp"
#include "models/collectives/step_costs.hpp"
#include "models/scenario/build/cluster.hpp"
#include "models/scenario/build/disruptions.hpp"
#include "models/scenario/build/job.hpp"
#include "models/vsphere/guest_view.hpp"

namespace vgsim::scenario {

/// Ranks that run a collective of their own beside the job's. They point into the cluster and into
/// the views, so it does not move.
struct BesideGroup {
  std::vector<vsphere::GuestView> views;
  collectives::RankGroup ranks;
};

/// A job on its machines: what its guests see, and how NCCL joins its ranks. Views and ranks point
/// into the cluster, so it does not move.
struct Placement {
  Placement() = default;
  Placement(const Placement&) = delete;
  Placement& operator=(const Placement&) = delete;

  Layout layout;
  Cluster cluster;
  Job job;
  std::vector<Disruption> disruptions;
  std::vector<vsphere::GuestView> views;   ///< by Cluster::kinds, as far as the job uses them
  std::vector<std::size_t> machine_of_vm;  ///< by index into vms(): index into Cluster::machines
  collectives::RankGroup ranks;
  std::vector<std::unique_ptr<BesideGroup>> beside;  ///< by Job::beside
  collectives::StepCosts costs;
  collectives::Spread spread;

  /// The VMs of the job, in rank order.
  [[nodiscard]] const std::vector<collectives::PlacedVm>& vms() const { return ranks.vms(); }
};

/// Which hosts share their resources in the simulation: those that do the very same, or none.
enum class Form : std::uint8_t { folded, spread };

/// The class of each host of the cluster. Folded, hosts of one kind are in one class if their NCCL
/// nodes have the same place in the graphs between nodes.
[[nodiscard]] std::vector<std::size_t> host_classes(const Placement& placement, Form form);

/// A rank, or as many as do the very same.
struct RankClass {
  std::size_t vm = 0;     ///< index into Placement::vms(), of the first
  std::size_t gpu = 0;    ///< of that VM
  std::size_t count = 1;  ///< ranks that it stands for
};

/// All ranks in rank order, or one for each GPU of each VM of a class of hosts.
[[nodiscard]] std::vector<RankClass> ranks_of(const Placement& placement, Form form);

/// The links of the cluster as resources, with the scenario's faults.
[[nodiscard]] collectives::PlacedNetwork place_network(const Placement& placement, Form form);

/// The name of the first link that a resource stands for: "esx01/vmnic4 -> leaf1".
[[nodiscard]] std::string link_name(const Placement& placement,
                                    const collectives::PlacedNetwork& network, ResourceId id);

/// "esx01/gpu0".
[[nodiscard]] std::string rank_name(const Placement& placement, const RankClass& rank);

}  // namespace vgsim::scenario
