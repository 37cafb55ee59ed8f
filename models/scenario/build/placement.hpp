#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/collectives/exchange_classes.hpp"
#include "models/collectives/fidelity.hpp"
#include "models/collectives/placed_network.hpp"
#include "models/collectives/rank_group.hpp"
#include "models/collectives/spread.hpp"
#include "models/collectives/step_costs.hpp"
#include "models/scenario/build/capacities.hpp"
#include "models/scenario/build/cluster.hpp"
#include "models/scenario/build/job.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "models/vsphere/guest_view.hpp"

namespace vgsim::scenario {

struct Library;

/// Ranks of a concurrent collective. They point into the cluster and the views, so objects of this
/// type must not move.
struct ConcurrentGroup {
  std::vector<vsphere::GuestView> views;
  collectives::RankGroup ranks;
};

/// The NCCL communicators of a job and of concurrent collectives. They point into the cluster and
/// the views, so objects of this type must not move.
struct Communicators {
  Shared<Cluster> cluster;
  std::vector<vsphere::GuestView> views;  ///< by Cluster::kinds, for those used by the job
  collectives::RankGroup ranks;
  std::vector<std::unique_ptr<ConcurrentGroup>> beside;  ///< by Job::beside
};

/// A job on its machines: the views of its guests, and its NCCL communicators (none if vSphere
/// refuses the layout).
struct Placement {
  Shared<Layout> layout;
  Shared<Cluster> cluster;
  Capacities capacities;
  Job job;
  std::vector<std::size_t> machine_of_vm;  ///< by index into vms(): index into Cluster::machines
  Shared<Communicators> communicators;
  collectives::StepCosts costs;
  collectives::Spread spread;
  /// For all-to-all traffic with aggregation of equivalent transfers.
  Shared<collectives::ExchangeClasses> exchange;

  [[nodiscard]] const std::vector<vsphere::GuestView>& views() const {
    return communicators->views;
  }
  [[nodiscard]] const collectives::RankGroup& ranks() const { return communicators->ranks; }
  /// The VMs of the job, in rank order.
  [[nodiscard]] const std::vector<collectives::PlacedVm>& vms() const { return ranks().vms(); }
};

/// Creates a view per kind of machine, and the machines' GPUs as NCCL ranks (without `nccl`: ranks
/// that do not communicate). The views must outlive the result. Throws NotConnected.
[[nodiscard]] collectives::RankGroup join(const Cluster& cluster, const Library& library,
                                          const std::vector<JobMachine>& machines,
                                          const collectives::NcclInput* nccl,
                                          std::vector<vsphere::GuestView>& views);

/// Whether equivalent hosts share their resources in the simulation.
enum class Aggregation : std::uint8_t { kBySymmetry, kNone };

/// Classes of hosts and fabric links with equal traffic, for jobs with all-to-all traffic; nothing
/// for others.
[[nodiscard]] Shared<collectives::ExchangeClasses> find_exchange(const Placement& placement);

/// The class of each host of the cluster. With aggregation, hosts of one kind share a class if
/// their NCCL nodes have the same role in the graphs between nodes.
[[nodiscard]] std::vector<std::size_t> host_classes(const Placement& placement,
                                                    Aggregation aggregation);

/// A rank, or several equivalent ones.
struct RankClass {
  std::size_t vm = 0;     ///< index into Placement::vms(), of the first
  std::size_t gpu = 0;    ///< of that VM
  std::size_t count = 1;  ///< number of represented ranks
};

/// A rank of the job by number.
[[nodiscard]] RankClass rank_class(const Placement& placement, std::size_t rank);

/// All ranks in rank order; with aggregation one per GPU of each VM of a class of hosts.
[[nodiscard]] std::vector<RankClass> ranks_of(const Placement& placement, Aggregation aggregation);

/// The links of the cluster as resources, with the scenario's faults.
[[nodiscard]] collectives::PlacedNetwork place_network(const Placement& placement,
                                                       Aggregation aggregation);
/// The same, with shared resources per class of hosts.
[[nodiscard]] collectives::PlacedNetwork place_network(const Placement& placement,
                                                       std::vector<std::size_t> class_of_host);

/// The name of the first link represented by a resource: "esx01/vmnic4 -> leaf1".
[[nodiscard]] std::string link_name(const Placement& placement,
                                    const collectives::PlacedNetwork& network, ResourceId id);

/// "esx01/gpu0".
[[nodiscard]] std::string rank_name(const Placement& placement, const RankClass& rank);

/// The aggregation of a job's network: by symmetry if the settings allow it, without chunk
/// fidelity, varying ranks or a collective with a root.
[[nodiscard]] Aggregation aggregation_of(const Placement& placement, const RunSettings& settings);

/// The same for a run without jitter.
[[nodiscard]] Aggregation aggregation_without_jitter(const Placement& placement,
                                                     const RunSettings& settings);

/// The fidelity of the settings, or else of the job.
[[nodiscard]] collectives::Fidelity fidelity_of(const Placement& placement,
                                                const RunSettings& settings);

/// Throws LimitExceeded if the estimated memory of the run exceeds the limit of the settings. The
/// estimate is rough: it follows from the numbers of tasks and links.
void check_memory(const Placement& placement, const RunSettings& settings, Aggregation aggregation);

/// Slowdown factor of a rank by the stragglers of its GPU, host and VM.
[[nodiscard]] double straggling(const Placement& placement, const RankClass& rank);

/// Whether some VMs use remote GPUs, with their input on other hosts.
[[nodiscard]] bool has_remote_clients(const Placement& placement);

/// Whether ranks of a training job wait for time slices of their GPUs.
[[nodiscard]] bool has_time_slices(const Placement& placement);

/// Expected time of the slowest rank over the mean, at least 1: ranks vary from step to step, and
/// all wait for the slowest. 1 if the scenario sets the variability.
[[nodiscard]] double wait_for_slowest(const Placement& placement, const Library& library);

}  // namespace vgsim::scenario
