#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "models/collectives/placed_network.hpp"
#include "models/scenario/build/host_roles.hpp"
#include "models/scenario/build/split_preparation.hpp"
#include "models/scenario/read/library.hpp"

namespace vgsim::scenario {
namespace {

using training::Axis;
using training::AxisPlace;
using training::Parallelism;

/// A GPU of a machine of the job.
struct Seat {
  std::size_t machine = 0;  ///< index into Job::machines
  std::size_t gpu = 0;
};

class Splitter {
 public:
  Splitter(const Placement& placement, const Library& library, bool use_symmetry)
      : placement_(placement),
        library_(library),
        p_(placement.job.training->parallelism),
        folds_(use_symmetry && alike()) {
    const auto& machines = placement.job.machines;
    for (std::size_t m = 0; m < machines.size(); ++m) {
      for (const std::size_t gpu : machines[m].gpus) seats_.push_back({m, gpu});
    }
  }

  SplitRanks split() && {
    result_.cluster = placement_.cluster;
    result_.parallelism = p_;
    const std::vector<std::size_t> meeting = replicas_meeting();
    const bool alone = folds_ && p_.tensor * p_.context * p_.expert * p_.pipeline == 1 &&
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
      if (training::group_size(p_, axis) > 1) add_teams(axis, replicas);
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::size_t host_of(std::size_t rank) const {
    const JobMachine& machine = placement_.job.machines[seats_[rank].machine];
    return placement_.cluster->machines[machine.machine].host;
  }

  /// Whether all replicas do the very same.
  [[nodiscard]] bool alike() const {
    const Job& job = placement_.job;
    const auto& machines = placement_.cluster->machines;
    const std::size_t kind = machines[job.machines.front().machine].kind;
    return !job.is_uneven() &&
           std::all_of(job.machines.begin(), job.machines.end(), [&](const JobMachine& machine) {
             return machines[machine.machine].kind == kind;
           });
  }

  [[nodiscard]] std::vector<std::size_t> replicas_meeting() const {
    std::vector<std::size_t> replicas;
    if (!folds_) {
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

  void add_teams(Axis axis, const std::vector<std::size_t>& replicas) {
    std::map<std::vector<std::size_t>, std::size_t> team_of;  // by its units
    std::map<std::size_t, std::size_t> all_of_stage;
    for (const std::vector<std::size_t>& group : training::groups(p_, axis)) {
      std::set<std::size_t> members;
      for (const std::size_t rank : group) {
        if (const auto unit = unit_of(rank, replicas)) members.insert(*unit);
      }
      if (members.empty()) continue;
      // Ranks that hold the same experts wait for no other, but their stage's stream does.
      if (axis == Axis::kExpertData) {
        const std::size_t stage = *members.begin() / replicas.size();
        for (std::size_t r = 0; r < replicas.size(); ++r) {
          members.insert(stage * replicas.size() + r);
        }
      }
      std::vector<std::size_t> units(members.begin(), members.end());
      const auto [team, is_new] = team_of.try_emplace(units, result_.teams.size());
      if (is_new) {
        result_.teams.push_back({axis, std::move(units)});
        result_.groups_of_team.emplace_back();
      }
      result_.groups_of_team[team->second].push_back(result_.groups.size());
      result_.groups.push_back(joined(group));
    }
  }

  [[nodiscard]] std::vector<JobMachine> machines_of(const std::vector<std::size_t>& ranks) const {
    std::map<std::size_t, std::vector<std::size_t>> gpus;
    for (const std::size_t rank : ranks) {
      gpus[seats_[rank].machine].push_back(seats_[rank].gpu);
    }
    std::vector<JobMachine> machines;
    for (auto& [machine, list] : gpus) {
      machines.push_back({placement_.job.machines[machine].machine, std::move(list)});
    }
    return machines;
  }

  /// NCCL decides alike for the same GPUs of the same kinds of machines, wherever they are.
  collectives::RankGroup joined(const std::vector<std::size_t>& ranks) {
    const std::vector<JobMachine> machines = machines_of(ranks);
    std::vector<std::pair<std::size_t, std::vector<std::size_t>>> kinds;
    std::vector<std::size_t> hosts;
    for (const JobMachine& machine : machines) {
      const Machine& placed = placement_.cluster->machines[machine.machine];
      kinds.emplace_back(placed.kind, machine.gpus);
      hosts.push_back(placed.host);
    }
    const auto [known, is_new] = known_.try_emplace(std::move(kinds), result_.groups.size());
    if (!is_new) return result_.groups[known->second].on_hosts(hosts);
    auto& views = result_.views.emplace_back(std::make_unique<std::vector<vsphere::GuestView>>());
    return join(*placement_.cluster, library_, machines, &placement_.ranks().nccl(), *views);
  }

  const Placement& placement_;
  const Library& library_;
  const Parallelism& p_;
  bool folds_;               ///< replicas that do the same are left out
  std::vector<Seat> seats_;  ///< by rank
  std::map<std::vector<std::pair<std::size_t, std::vector<std::size_t>>>, std::size_t> known_;
  SplitRanks result_;
};

}  // namespace

SplitRanks split_ranks(const Placement& placement, const Library& library, bool use_symmetry) {
  return Splitter(placement, library, use_symmetry).split();
}

std::vector<bool> hosts_of_units(const Placement& placement, const SplitRanks& ranks) {
  std::vector<bool> known(placement.cluster->hosts.size(), false);
  for (const auto& unit : ranks.units) {
    for (const std::size_t rank : unit) known[placement.ranks().host_of(rank)] = true;
  }
  return known;
}

namespace {

/// Whether the ranks of a group do nothing but what NCCL's graphs say, with one node in each of
/// their VMs, all of one kind.
bool is_even(Axis axis, const collectives::RankGroup& group) {
  const collectives::nccl::Decision& decision = group.decision();
  const auto& vms = group.vms();
  return axis != Axis::kContext && axis != Axis::kExpert && decision.kinds.size() == 1 &&
         decision.nodes.size() == vms.size() &&
         std::all_of(vms.begin(), vms.end(),
                     [&](const collectives::PlacedVm& vm) { return vm.view == vms.front().view; });
}

/// By node: its role, as a number. Of hosts with several VMs nothing is asked.
std::vector<std::size_t> places_of(const collectives::nccl::Decision& decision) {
  std::vector<std::size_t> vm_of_node;
  for (const collectives::nccl::NcclNode& node : decision.nodes) vm_of_node.push_back(node.host);
  return numbered(roles_of_nodes(decision, vm_of_node));
}

/// Hosts that share nothing: all traffic of some of their ranks is followed, or a fault strikes
/// them, or VMs of theirs may meet inside.
std::vector<bool> hosts_apart(const Placement& placement, const SplitRanks& ranks) {
  std::vector<bool> apart = hosts_of_units(placement, ranks);
  for (const Fault& fault : placement.job.faults) apart[fault.host] = true;
  std::vector<bool> has_vm(apart.size(), false);
  for (const collectives::PlacedVm& vm : placement.vms()) {
    if (has_vm[vm.host]) apart[vm.host] = true;
    has_vm[vm.host] = true;
  }
  return apart;
}

}  // namespace

std::vector<std::size_t> host_classes(const Placement& placement, const SplitRanks& ranks,
                                      bool use_symmetry) {
  const std::vector<ClusterHost>& hosts = placement.cluster->hosts;
  const bool at_home =
      std::none_of(placement.views().begin(), placement.views().end(),
                   [](const auto& view) { return view.vm().remote_client.has_value(); });
  if (!use_symmetry || !at_home) return collectives::PlacedNetwork::spread_out(hosts.size());
  std::vector<bool> apart = hosts_apart(placement, ranks);
  Roles roles(hosts.size());
  for (std::size_t h = 0; h < hosts.size(); ++h) roles[h] = {static_cast<int>(hosts[h].kind)};
  std::map<const collectives::nccl::Decision*, std::vector<std::size_t>> places;
  for (std::size_t t = 0; t < ranks.teams.size(); ++t) {
    for (const std::size_t g : ranks.groups_of_team[t]) {
      const collectives::RankGroup& group = ranks.groups[g];
      const auto [known, is_new] = places.try_emplace(&group.decision());
      if (is_new) known->second = places_of(group.decision());
      const bool even = is_even(ranks.teams[t].axis, group);
      for (std::size_t v = 0; v < group.vms().size(); ++v) {
        const std::size_t host = group.vms()[v].host;
        if (!even) apart[host] = true;
        if (apart[host]) continue;
        roles[host].push_back(static_cast<int>(g));
        roles[host].push_back(static_cast<int>(known->second[v]));
      }
    }
  }
  for (std::size_t h = 0; h < roles.size(); ++h) {
    if (apart[h]) roles[h] = {-1, static_cast<int>(h)};
  }
  return numbered(roles);
}

}  // namespace vgsim::scenario
