#include "models/scenario/build/job_units.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "models/collectives/placed_network.hpp"
#include "models/scenario/build/host_roles.hpp"
#include "models/scenario/read/library.hpp"

namespace vgsim::scenario {
namespace {

using collectives::PlacedNetwork;
using training::Axis;
using training::AxisPlace;
using training::Parallelism;

/// A GPU of a machine of the job.
struct JobGpu {
  std::size_t machine = 0;  ///< index into Job::machines
  std::size_t gpu = 0;
};

class UnitBuilder {
 public:
  UnitBuilder(const Placement& placement, const Library& library, Aggregation aggregation)
      : placement_(placement),
        library_(library),
        p_(placement.job.training->parallelism),
        aggregation_(aggregation),
        aggregates_(aggregation == Aggregation::kBySymmetry && alike()) {
    const auto& machines = placement.job.machines;
    for (std::size_t m = 0; m < machines.size(); ++m) {
      for (const std::size_t gpu : machines[m].gpus) gpus_.push_back({m, gpu});
    }
  }

  JobUnits build() && {
    result_.cluster = placement_.cluster;
    result_.parallelism = p_;
    result_.aggregation = aggregation_;
    const std::vector<std::size_t> meeting = replicas_meeting();
    const bool alone = aggregates_ && p_.tensor * p_.context * p_.expert * p_.pipeline == 1 &&
                       p_.shard_size == 0 && !p_.reshard_size;
    const std::vector<std::size_t> replicas = alone ? std::vector<std::size_t>{0} : meeting;
    result_.replicas = replicas.size();
    for (const std::size_t replica : meeting) {
      result_.readers.emplace_back(replica * p_.tensor * p_.context,
                                   alone ? 0 : result_.readers.size());
    }
    result_.units.resize(p_.pipeline * replicas.size());
    for (std::size_t rank = 0; rank < p_.ranks(); ++rank) {
      if (const auto unit = unit_of(rank, replicas)) result_.units[*unit].push_back(rank);
    }
    for (const Axis axis : {Axis::kTensor, Axis::kContext, Axis::kExpert, Axis::kData,
                            Axis::kExpertData, Axis::kShard, Axis::kReplica, Axis::kReshard}) {
      if (training::group_size(p_, axis) > 1) add_groups(axis, replicas);
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::size_t host_of(std::size_t rank) const {
    const JobMachine& machine = placement_.job.machines[gpus_[rank].machine];
    return placement_.cluster->machines[machine.machine].host;
  }

  /// Whether all replicas are equivalent.
  [[nodiscard]] bool alike() const {
    const Job& job = placement_.job;
    const auto& machines = placement_.cluster->machines;
    const std::size_t kind = machines[job.machines.front().machine].kind;
    return !job.is_uneven() && !has_time_slices(placement_) && gpu_kinds(placement_).size() == 1 &&
           std::all_of(job.machines.begin(), job.machines.end(), [&](const JobMachine& machine) {
             return machines[machine.machine].kind == kind;
           });
  }

  [[nodiscard]] std::vector<std::size_t> replicas_meeting() const {
    std::vector<std::size_t> replicas;
    if (!aggregates_) {
      for (std::size_t d = 0; d < p_.data; ++d) replicas.push_back(d);
      return replicas;
    }
    std::set<std::size_t> hosts;
    for (std::size_t rank = 0; rank < p_.ranks(); ++rank) {
      if (training::place_of(p_, rank).data == 0) hosts.insert(host_of(rank));
    }
    std::set<std::size_t> meeting;
    for (std::size_t rank = 0; rank < p_.ranks(); ++rank) {
      if (hosts.contains(host_of(rank))) meeting.insert(training::place_of(p_, rank).data);
    }
    return {meeting.begin(), meeting.end()};
  }

  [[nodiscard]] std::optional<std::size_t> unit_of(std::size_t rank,
                                                   const std::vector<std::size_t>& replicas) const {
    const AxisPlace place = training::place_of(p_, rank);
    const auto at = std::lower_bound(replicas.begin(), replicas.end(), place.data);
    if (at == replicas.end() || *at != place.data) return std::nullopt;
    return place.pipeline * replicas.size() + static_cast<std::size_t>(at - replicas.begin());
  }

  void add_groups(Axis axis, const std::vector<std::size_t>& replicas) {
    std::map<std::vector<std::size_t>, std::size_t> group_of;  // by its units
    std::map<std::size_t, std::size_t> all_of_stage;
    for (const std::vector<std::size_t>& group : training::groups(p_, axis)) {
      std::set<std::size_t> members;
      for (const std::size_t rank : group) {
        if (const auto unit = unit_of(rank, replicas)) members.insert(*unit);
      }
      if (members.empty()) continue;
      // Ranks with the same experts do not wait for others, but the stream of their stage does.
      if (axis == Axis::kExpertData) {
        const std::size_t stage = *members.begin() / replicas.size();
        for (std::size_t r = 0; r < replicas.size(); ++r) {
          members.insert(stage * replicas.size() + r);
        }
      }
      std::vector<std::size_t> units(members.begin(), members.end());
      const auto [known, is_new] = group_of.try_emplace(units, result_.groups.size());
      if (is_new) {
        result_.groups.push_back({axis, std::move(units)});
        result_.communicators_of_group.emplace_back();
      }
      result_.communicators_of_group[known->second].push_back(result_.communicators.size());
      result_.communicators.push_back(joined(group));
    }
  }

  [[nodiscard]] std::vector<JobMachine> machines_of(const std::vector<std::size_t>& ranks) const {
    std::map<std::size_t, std::vector<std::size_t>> gpus;
    for (const std::size_t rank : ranks) {
      gpus[gpus_[rank].machine].push_back(gpus_[rank].gpu);
    }
    std::vector<JobMachine> machines;
    for (auto& [machine, list] : gpus) {
      machines.push_back({placement_.job.machines[machine].machine, std::move(list)});
    }
    return machines;
  }

  /// NCCL's decisions are equal for the same GPUs of the same kinds of machines.
  collectives::RankGroup joined(const std::vector<std::size_t>& ranks) {
    const std::vector<JobMachine> machines = machines_of(ranks);
    std::vector<std::pair<std::size_t, std::vector<std::size_t>>> kinds;
    std::vector<std::size_t> hosts;
    for (const JobMachine& machine : machines) {
      const Machine& placed = placement_.cluster->machines[machine.machine];
      kinds.emplace_back(placed.kind, machine.gpus);
      hosts.push_back(placed.host);
    }
    const auto [known, is_new] = known_.try_emplace(std::move(kinds), result_.communicators.size());
    if (!is_new) return result_.communicators[known->second].on_hosts(hosts);
    auto& views = result_.views.emplace_back(std::make_unique<std::vector<vsphere::GuestView>>());
    return join(*placement_.cluster, library_, machines, &placement_.ranks().nccl(), *views);
  }

  const Placement& placement_;
  const Library& library_;
  const Parallelism& p_;
  Aggregation aggregation_;
  bool aggregates_;           ///< equivalent replicas are omitted
  std::vector<JobGpu> gpus_;  ///< by rank
  std::map<std::vector<std::pair<std::size_t, std::vector<std::size_t>>>, std::size_t> known_;
  JobUnits result_;
};

/// The first rank of each VM of the job.
std::vector<std::size_t> first_ranks(const Placement& placement) {
  std::vector<std::size_t> first(placement.vms().size());
  for (std::size_t rank = placement.ranks().ranks(); rank-- > 0;) {
    first[placement.ranks().vm_of(rank)] = rank;
  }
  return first;
}

/// The ranks of each of `ranks`, which are those of ranks_of() with aggregation, ascending.
std::vector<std::vector<std::size_t>> members_of(const Placement& placement,
                                                 const std::vector<RankClass>& ranks,
                                                 const std::vector<std::size_t>& first) {
  const std::vector<std::size_t> classes = host_classes(placement, Aggregation::kBySymmetry);
  std::vector<std::vector<std::size_t>> members(ranks.size());
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::size_t> known;
  for (std::size_t c = 0; c < ranks.size(); ++c) {
    const collectives::PlacedVm& vm = placement.vms()[ranks[c].vm];
    known.emplace(std::tuple(classes[vm.host], vm.view, ranks[c].gpu), c);
  }
  for (std::size_t v = 0; v < placement.vms().size(); ++v) {
    const collectives::PlacedVm& vm = placement.vms()[v];
    for (std::size_t g = 0; g < placement.views()[vm.view].gpu_count(); ++g) {
      members[known.at({classes[vm.host], vm.view, g})].push_back(first[v] + g);
    }
  }
  return members;
}

JobUnits units_of_ranks(const Placement& placement, Aggregation aggregation) {
  JobUnits result;
  result.cluster = placement.cluster;
  result.parallelism = placement.job.training->parallelism;
  result.aggregation = aggregation;
  const std::vector<std::size_t> first = first_ranks(placement);
  const std::vector<RankClass> ranks = ranks_of(placement, aggregation);
  const bool varies =
      placement.job.variability.compute_sigma != 0.0 && aggregation == Aggregation::kBySymmetry;
  const auto members = varies ? members_of(placement, ranks, first)
                              : std::vector<std::vector<std::size_t>>(ranks.size());
  for (std::size_t c = 0; c < ranks.size(); ++c) {
    std::size_t number = first[ranks[c].vm] + ranks[c].gpu;
    std::size_t count = ranks[c].count;
    if (members[c].size() > 1) {
      result.equivalent.push_back({members[c], result.units.size(), result.units.size() + 1});
      result.units.push_back({number});
      result.alike.push_back(1);
      number = members[c][1];
      --count;
    }
    // Input of a class is that of one host, so only one of two units reads.
    result.readers.emplace_back(number, result.units.size());
    result.units.push_back({number});
    result.alike.push_back(count);
  }
  std::vector<std::size_t> all(result.units.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  result.replicas = result.units.size();
  if (placement.ranks().ranks() < 2 || !placement.job.exchanges()) return result;
  result.groups.push_back({Axis::kData, std::move(all)});
  return result;
}

}  // namespace

JobUnits job_units(const Placement& placement, const Library& library, Aggregation aggregation) {
  if (placement.job.training->data_parallel_only) return units_of_ranks(placement, aggregation);
  return UnitBuilder(placement, library, aggregation).build();
}

JobUnits unit_alone(const Placement& placement, std::size_t rank) {
  JobUnits result;
  result.cluster = placement.cluster;
  result.parallelism = placement.job.training->parallelism;
  result.aggregation = Aggregation::kBySymmetry;
  result.units = {{rank}};
  result.alike = {1};
  result.readers = {{rank, 0}};
  return result;
}

Aggregation aggregation_of_units(const Placement& placement, const RunSettings& settings) {
  if (placement.job.training->data_parallel_only) return aggregation_of(placement, settings);
  // The input of equivalent units comes from one host, where it can share a NIC.
  return settings.use_symmetry && !has_remote_clients(placement) ? Aggregation::kBySymmetry
                                                                 : Aggregation::kNone;
}

std::vector<GpuKind> gpu_kinds(const Placement& placement) {
  std::vector<GpuKind> kinds;
  for (std::size_t v = 0; v < placement.views().size(); ++v) {
    for (std::size_t g = 0; g < placement.views()[v].gpu_count(); ++g) {
      const bool known = std::any_of(kinds.begin(), kinds.end(), [&](const GpuKind& kind) {
        return is_alike(placement, kind, v, g);
      });
      if (!known) kinds.push_back({v, g});
    }
  }
  return kinds;
}

bool is_alike(const Placement& placement, const GpuKind& kind, std::size_t view, std::size_t gpu) {
  if (kind.view != view) return false;
  const vsphere::GuestView& seen = placement.views()[view];
  const auto share = [&](std::size_t g) {
    return g < seen.vm().shares.size() ? seen.vm().shares[g] : vsphere::GpuShare{};
  };
  const auto model = [&](std::size_t g) -> const std::string& {
    return placement.cluster->topology.node(seen.gpu(g)).model;
  };
  return model(kind.gpu) == model(gpu) && share(kind.gpu) == share(gpu);
}

std::vector<bool> hosts_of_units(const Placement& placement, const JobUnits& units) {
  std::vector<bool> known(placement.cluster->hosts.size(), false);
  for (const auto& unit : units.units) {
    for (const std::size_t rank : unit) known[placement.ranks().host_of(rank)] = true;
  }
  return known;
}

namespace {

/// Whether the traffic of a group's ranks follows NCCL's graphs, with one node in each of their
/// VMs, all of one kind.
bool is_even(Axis axis, const collectives::RankGroup& group) {
  const collectives::nccl::Decision& decision = group.decision();
  const auto& vms = group.vms();
  return axis != Axis::kContext && axis != Axis::kExpert && decision.kinds.size() == 1 &&
         decision.nodes.size() == vms.size() &&
         std::all_of(vms.begin(), vms.end(),
                     [&](const collectives::PlacedVm& vm) { return vm.view == vms.front().view; });
}

/// The role of each node, as a number. Not called for hosts with several VMs.
std::vector<std::size_t> places_of(const collectives::nccl::Decision& decision) {
  std::vector<std::size_t> vm_of_node;
  for (const collectives::nccl::NcclNode& node : decision.nodes) vm_of_node.push_back(node.host);
  return numbered(roles_of_nodes(decision, vm_of_node));
}

/// Hosts that are not aggregated: all traffic of some of their ranks is simulated, or they have a
/// fault, or their VMs can communicate inside the host.
std::vector<bool> hosts_apart(const Placement& placement, const JobUnits& units) {
  std::vector<bool> apart = hosts_of_units(placement, units);
  for (const Fault& fault : placement.job.faults) apart[fault.host] = true;
  std::vector<bool> has_vm(apart.size(), false);
  for (const collectives::PlacedVm& vm : placement.vms()) {
    if (has_vm[vm.host]) apart[vm.host] = true;
    has_vm[vm.host] = true;
  }
  return apart;
}

/// The class of each host of the cluster: hosts with the same role in the same groups share their
/// resources, except hosts of listed units and of groups whose ranks are not equivalent.
std::vector<std::size_t> host_classes(const Placement& placement, const JobUnits& units) {
  const std::vector<ClusterHost>& hosts = placement.cluster->hosts;
  if (units.aggregation == Aggregation::kNone) {
    return collectives::PlacedNetwork::every_host_alone(hosts.size());
  }
  std::vector<bool> apart = hosts_apart(placement, units);
  Roles roles(hosts.size());
  for (std::size_t h = 0; h < hosts.size(); ++h) roles[h] = {static_cast<int>(hosts[h].kind)};
  std::map<const collectives::nccl::Decision*, std::vector<std::size_t>> places;
  for (std::size_t g = 0; g < units.groups.size(); ++g) {
    for (const std::size_t c : units.communicators_of_group[g]) {
      const collectives::RankGroup& group = units.communicators[c];
      const auto [known, is_new] = places.try_emplace(&group.decision());
      if (is_new) known->second = places_of(group.decision());
      const bool even = is_even(units.groups[g].axis, group);
      for (std::size_t v = 0; v < group.vms().size(); ++v) {
        const std::size_t host = group.vms()[v].host;
        if (!even) apart[host] = true;
        if (apart[host]) continue;
        roles[host].push_back(static_cast<int>(c));
        roles[host].push_back(static_cast<int>(known->second[v]));
      }
    }
  }
  for (std::size_t h = 0; h < roles.size(); ++h) {
    if (apart[h]) roles[h] = {-1, static_cast<int>(h)};
  }
  return numbered(roles);
}

}  // namespace

PlacedNetwork place_network(const Placement& placement, const JobUnits& units) {
  if (placement.job.training->data_parallel_only)
    return place_network(placement, units.aggregation);
  return place_network(placement, host_classes(placement, units));
}

}  // namespace vgsim::scenario
