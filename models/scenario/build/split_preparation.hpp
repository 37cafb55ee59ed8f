#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/collectives/rank_group.hpp"
#include "models/scenario/build/placement.hpp"
#include "models/training/compute.hpp"
#include "models/training/split_step.hpp"
#include "models/training/virtualization.hpp"
#include "models/vsphere/guest_view.hpp"

namespace vgsim::scenario {

struct Library;

/// The units and teams of a job that splits more than its data (see training::SplitPlan), and the
/// groups of its ranks as NCCL joins them.
struct SplitRanks {
  Shared<Cluster> cluster;  ///< that the groups point into
  training::Parallelism parallelism;
  std::size_t replicas = 1;                     ///< that are listed
  std::vector<std::vector<std::size_t>> units;  ///< ranks of each
  /// Ranks that read the input of a replica, with the unit that stands for it: all on the hosts of
  /// the listed ones, since they share cores and storage.
  std::vector<std::pair<std::size_t, std::size_t>> readers;
  std::vector<training::Team> teams;
  std::vector<std::vector<std::size_t>> groups_of_team;  ///< index into groups
  std::vector<collectives::RankGroup> groups;
  std::vector<std::unique_ptr<std::vector<vsphere::GuestView>>> views;  ///< that groups point into
};

/// Lists all replicas, or, where they do the very same and symmetry may be used, those that share
/// links with the first: those with a rank on one of its hosts, and itself alone where ranks meet
/// others of their replicas in no exchange but those of gradients and parameters. On the hosts of
/// those that are listed all traffic is there, and no other host has more.
/// Throws NotConnected.
[[nodiscard]] SplitRanks split_ranks(const Placement& placement, const Library& library,
                                     bool use_symmetry);

/// Whether a host has ranks of listed units: all that is carried there is known.
[[nodiscard]] std::vector<bool> hosts_of_units(const Placement& placement, const SplitRanks& ranks);

/// The class of each host of the cluster, for place_network(): hosts that do nothing but take the
/// same part in the same groups share their resources. Those of listed units have their own, and so
/// have those of groups whose ranks do not all do the same.
[[nodiscard]] std::vector<std::size_t> host_classes(const Placement& placement,
                                                    const SplitRanks& ranks, bool use_symmetry);

/// A job that splits more than its data, lowered to what the engine runs.
struct PreparedSplit {
  Shared<SplitRanks> ranks;
  training::SplitPlan plan;
  /// By stage: what makes a rank compute longer, in an iteration.
  std::vector<std::vector<training::ComputeLoss>> losses;
  std::vector<SimTime> slowed_by_traffic;  ///< by unit: what its passes take longer
};

/// GPUs of the job on which a rank computes as long: of one model, with the same share of it, in
/// VMs of one kind.
struct GpuKind {
  std::size_t view = 0;  ///< index into Placement::views()
  std::size_t gpu = 0;   ///< of that VM: the first of them
  training::ComputeRates rates;
};

/// Whether a GPU of a view is one of a kind.
[[nodiscard]] bool is_alike(const Placement& placement, const GpuKind& kind, std::size_t view,
                            std::size_t gpu);

/// Lowers the training job of a placement. The ranks of a unit wait for each other in every layer,
/// so compute as long as the slowest of them; other units have a pace of their own
/// (SplitPlan::slower, over the slowest kind of GPU).
[[nodiscard]] PreparedSplit prepare_split(const Placement& placement, const Library& library,
                                          Shared<SplitRanks> ranks,
                                          const std::vector<GpuKind>& kinds);

/// A rank of the job by its number.
[[nodiscard]] RankClass rank_class(const Placement& placement, std::size_t rank);

}  // namespace vgsim::scenario
