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

/// Ranks that run a collective of their own beside the job's. They point into the cluster and into
/// the views, so it does not move.
struct BesideGroup {
  std::vector<vsphere::GuestView> views;
  collectives::RankGroup ranks;
};

/// The ranks of a job and of those beside it, as NCCL joins them. They point into the cluster and
/// into the views, so none of it moves.
struct Joined {
  Shared<Cluster> cluster;
  std::vector<vsphere::GuestView> views;  ///< by Cluster::kinds, as far as the job uses them
  collectives::RankGroup ranks;
  std::vector<std::unique_ptr<BesideGroup>> beside;  ///< by Job::beside
};

/// A job on its machines: what its guests see, and how NCCL joins its ranks. Nothing is joined
/// where vSphere refuses the layout.
struct Placement {
  Shared<Layout> layout;
  Shared<Cluster> cluster;
  Capacities capacities;
  Job job;
  std::vector<std::size_t> machine_of_vm;  ///< by index into vms(): index into Cluster::machines
  Shared<Joined> joined;
  collectives::StepCosts costs;
  collectives::Spread spread;
  /// Where all ranks send to all, and what does the same is simulated once.
  Shared<collectives::ExchangeClasses> exchange;

  [[nodiscard]] const std::vector<vsphere::GuestView>& views() const { return joined->views; }
  [[nodiscard]] const collectives::RankGroup& ranks() const { return joined->ranks; }
  /// The VMs of the job, in rank order.
  [[nodiscard]] const std::vector<collectives::PlacedVm>& vms() const { return ranks().vms(); }
};

/// One view for each kind of machine that takes part, and the machines as ranks of NCCL, or,
/// without it, as ranks that exchange nothing. The views must outlive the result. Throws
/// NotConnected.
[[nodiscard]] collectives::RankGroup join(const Cluster& cluster, const Library& library,
                                          const std::vector<JobMachine>& machines,
                                          const collectives::NcclInput* nccl,
                                          std::vector<vsphere::GuestView>& views);

/// Which hosts share their resources in the simulation: those that do the very same, or none.
enum class Form : std::uint8_t { folded, spread };

/// Hosts and fabric links that carry the same where the job has all ranks send to all; nothing
/// where it does not.
[[nodiscard]] Shared<collectives::ExchangeClasses> find_exchange(const Placement& placement);

/// The class of each host of the cluster. Folded, hosts of one kind are in one class if their NCCL
/// nodes have the same place in the graphs between nodes.
[[nodiscard]] std::vector<std::size_t> host_classes(const Placement& placement, Form form);

/// A rank, or as many as do the very same.
struct RankClass {
  std::size_t vm = 0;     ///< index into Placement::vms(), of the first
  std::size_t gpu = 0;    ///< of that VM
  std::size_t count = 1;  ///< ranks that it stands for
};

/// A rank of the job by its number.
[[nodiscard]] RankClass rank_class(const Placement& placement, std::size_t rank);

/// All ranks in rank order, or one for each GPU of each VM of a class of hosts.
[[nodiscard]] std::vector<RankClass> ranks_of(const Placement& placement, Form form);

/// The links of the cluster as resources, with the scenario's faults.
[[nodiscard]] collectives::PlacedNetwork place_network(const Placement& placement, Form form);
/// The same where hosts of one class share their resources.
[[nodiscard]] collectives::PlacedNetwork place_network(const Placement& placement,
                                                       std::vector<std::size_t> class_of_host);

/// The name of the first link that a resource stands for: "esx01/vmnic4 -> leaf1".
[[nodiscard]] std::string link_name(const Placement& placement,
                                    const collectives::PlacedNetwork& network, ResourceId id);

/// "esx01/gpu0".
[[nodiscard]] std::string rank_name(const Placement& placement, const RankClass& rank);

/// How a job's network is laid out: folded where the settings allow to use symmetry and neither
/// chunks, varying ranks nor a collective with a root forbid it.
[[nodiscard]] Form form_of(const Placement& placement, const RunSettings& settings);

/// The same for a run in which ranks do not vary.
[[nodiscard]] Form form_without_jitter(const Placement& placement, const RunSettings& settings);

/// The fidelity that the settings, else the job ask for.
[[nodiscard]] collectives::Fidelity fidelity_of(const Placement& placement,
                                                const RunSettings& settings);

/// Throws LimitExceeded, with the estimate, if running the job is estimated to need more memory
/// than the settings allow. The estimate is rough: it comes from the numbers of tasks and links.
void check_memory(const Placement& placement, const RunSettings& settings, Form form);

/// How many times longer a rank computes: what is said of its GPU, its host and its VM.
[[nodiscard]] double straggling(const Placement& placement, const RankClass& rank);

/// Whether the processes of some VMs run on other hosts, from which their input comes.
[[nodiscard]] bool has_remote_clients(const Placement& placement);

/// Whether ranks of a training job wait for turns on their GPUs, each at times of its own.
[[nodiscard]] bool takes_turns(const Placement& placement);

/// Ranks do not take the same time in every step, and all wait for the slowest: how many times
/// longer than the mean it is expected to compute; 1 where the scenario itself says how much they
/// vary.
[[nodiscard]] double wait_for_slowest(const Placement& placement, const Library& library);

}  // namespace vgsim::scenario
