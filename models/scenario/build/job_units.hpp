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

/// The units and groups of a training job (see training::StepPlan), and the communicators of its
/// ranks as NCCL joins them.
struct JobUnits {
  Shared<Cluster> cluster;  ///< that the communicators point into
  training::Parallelism parallelism;
  Form form = Form::spread;
  std::size_t replicas = 1;                     ///< that are listed
  std::vector<std::vector<std::size_t>> units;  ///< ranks of each
  std::vector<std::size_t> alike;  ///< by unit: how many it stands for; none: replicas that all do
  /// Ranks that read the input of a replica, with the unit that stands for it: all on the hosts of
  /// the listed ones, since they share cores and storage.
  std::vector<std::pair<std::size_t, std::size_t>> readers;
  std::vector<training::CommunicatorGroup> groups;
  /// Index into communicators, by group; none: all ranks of the job are its communicator.
  std::vector<std::vector<std::size_t>> communicators_of_group;
  std::vector<collectives::RankGroup> communicators;
  std::vector<std::unique_ptr<std::vector<vsphere::GuestView>>> views;  ///< of communicators
};

/// Of a job that is data-parallel alone each rank is a unit, or, folded, each of those of
/// ranks_of().
///
/// Of other jobs it lists all replicas, or, where they do the very same and the form is folded,
/// those that share links with the first: those with a rank on one of its hosts, and itself alone
/// where ranks meet others of their replicas in no exchange but those of gradients and parameters.
/// On the hosts of those that are listed all traffic is there, and no other host has more.
/// Throws NotConnected.
[[nodiscard]] JobUnits job_units(const Placement& placement, const Library& library, Form form);

/// One rank that meets no other.
[[nodiscard]] JobUnits unit_alone(const Placement& placement, std::size_t rank);

/// How the units of a job are listed: folded where the settings and the job allow it.
[[nodiscard]] Form form_of_units(const Placement& placement, const RunSettings& settings);

/// The links of the cluster as the units use them.
[[nodiscard]] collectives::PlacedNetwork place_network(const Placement& placement,
                                                       const JobUnits& units);

/// Whether a host has ranks of listed units: all that is carried there is known.
[[nodiscard]] std::vector<bool> hosts_of_units(const Placement& placement, const JobUnits& units);

/// GPUs of the job on which a rank computes as long: of one model, with the same share of it, in
/// VMs of one kind.
struct GpuKind {
  std::size_t view = 0;  ///< index into Placement::views()
  std::size_t gpu = 0;   ///< of that VM: the first of them
};

/// All that a job has.
[[nodiscard]] std::vector<GpuKind> gpu_kinds(const Placement& placement);

/// Whether a GPU of a view is one of a kind.
[[nodiscard]] bool is_alike(const Placement& placement, const GpuKind& kind, std::size_t view,
                            std::size_t gpu);

}  // namespace vgsim::scenario
