#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "models/collectives/rank_group.hpp"
#include "models/scenario/build/placement.hpp"
#include "models/training/step_plan.hpp"
#include "models/vsphere/guest_view.hpp"

namespace vgsim::scenario {

struct Library;

/// Ranks of a data-parallel job that differ by random delays alone, as two units; see RankDelays.
struct EquivalentRanks {
  std::vector<std::size_t> ranks;  ///< at least two
  std::size_t slowest = 0;         ///< unit of the rank that is the slowest in the last iteration
  std::size_t others = 0;          ///< unit of the remaining ranks
};

/// The units and groups of a training job (see training::StepPlan), and its NCCL communicators.
struct JobUnits {
  Shared<Cluster> cluster;  ///< referenced by the communicators
  training::Parallelism parallelism;
  Aggregation aggregation = Aggregation::kNone;
  std::size_t replicas = 1;                     ///< number of listed replicas
  std::vector<std::vector<std::size_t>> units;  ///< ranks of each
  std::vector<std::size_t>
      alike;  ///< by unit: number of represented ranks; empty: the replicas represent all
  std::vector<EquivalentRanks> equivalent;
  /// Ranks that read the input of a replica, with the unit that represents it: all ranks on the
  /// hosts of the listed replicas, since they share cores and storage.
  std::vector<std::pair<std::size_t, std::size_t>> readers;
  std::vector<training::CommunicatorGroup> groups;
  /// Indices into communicators, by group; empty: the communicator of all ranks.
  std::vector<std::vector<std::size_t>> communicators_of_group;
  std::vector<collectives::RankGroup> communicators;
  std::vector<std::unique_ptr<std::vector<vsphere::GuestView>>> views;  ///< of communicators
};

/// In a purely data-parallel job each rank is a unit; with aggregation each class of ranks_of(), or
/// two units of each if computing times vary at random.
///
/// For other jobs it lists all replicas or, with aggregation and identical replicas, those that
/// share links with the first one: replicas with a rank on one of its hosts, or only the first one
/// if its ranks meet other replicas only in exchanges of gradients and parameters. The hosts of
/// listed replicas then carry their complete traffic, and no other host carries more. Throws
/// NotConnected.
[[nodiscard]] JobUnits job_units(const Placement& placement, const Library& library,
                                 Aggregation aggregation);

/// A single rank without communication.
[[nodiscard]] JobUnits unit_alone(const Placement& placement, std::size_t rank);

/// The aggregation of a job's units, if the settings and the job allow one.
[[nodiscard]] Aggregation aggregation_of_units(const Placement& placement,
                                               const RunSettings& settings);

/// The links of the cluster as resources for these units.
[[nodiscard]] collectives::PlacedNetwork place_network(const Placement& placement,
                                                       const JobUnits& units);

/// Whether a host has ranks of listed units, so that its traffic is complete.
[[nodiscard]] std::vector<bool> hosts_of_units(const Placement& placement, const JobUnits& units);

/// GPUs of the job with equal computing times: the same model and share, in VMs of one kind.
struct GpuKind {
  std::size_t view = 0;  ///< index into Placement::views()
  std::size_t gpu = 0;   ///< of that VM: the first one
};

/// All GPU kinds of a job.
[[nodiscard]] std::vector<GpuKind> gpu_kinds(const Placement& placement);

/// Whether a GPU of a view belongs to a kind.
[[nodiscard]] bool is_alike(const Placement& placement, const GpuKind& kind, std::size_t view,
                            std::size_t gpu);

}  // namespace vgsim::scenario
