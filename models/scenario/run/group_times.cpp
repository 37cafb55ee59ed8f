#include "models/scenario/run/group_times.hpp"

#include <algorithm>
#include <memory>
#include <set>

#include "models/collectives/lowering.hpp"
#include "models/scenario/read/library.hpp"
#include "models/scenario/run/run.hpp"

namespace vgsim::scenario {

using collectives::Collective;
using training::Axis;
using vsphere::GuestView;

GroupTimes::GroupTimes(const Placement& placement, const Library& library,
                       const RunSettings& settings, const training::Parallelism& parallelism)
    : placement_(placement), library_(library), settings_(settings), parallelism_(parallelism) {
  for (std::size_t m = 0; m < placement.job.machines.size(); ++m) {
    for (const std::size_t gpu : placement.job.machines[m].gpus) ranks_.emplace_back(m, gpu);
  }
}

/// The first group, and those that have a rank on one of its hosts.
GroupTimes::Groups GroupTimes::meeting(const Groups& all) const {
  const auto host = [&](std::size_t rank) {
    const JobMachine& machine = placement_.job.machines[ranks_[rank].first];
    return placement_.cluster->machines[machine.machine].host;
  };
  std::set<std::size_t> hosts;
  for (const std::size_t rank : all.front()) hosts.insert(host(rank));
  Groups result;
  for (const auto& group : all) {
    const bool meets = std::any_of(group.begin(), group.end(),
                                   [&](std::size_t rank) { return hosts.contains(host(rank)); });
    if (meets) result.push_back(group);
  }
  return result;
}

std::vector<JobMachine> GroupTimes::machines_of(const std::vector<std::size_t>& ranks) const {
  std::map<std::size_t, std::vector<std::size_t>> gpus;
  for (const std::size_t rank : ranks) gpus[ranks_[rank].first].push_back(ranks_[rank].second);
  std::vector<JobMachine> machines;
  for (auto& [machine, list] : gpus) {
    machines.push_back({placement_.job.machines[machine].machine, std::move(list)});
  }
  return machines;
}

SimTime GroupTimes::simulate(const Groups& groups, Collective collective, Bytes size) const {
  struct Member {
    std::vector<GuestView> views;
    collectives::RankGroup ranks;
  };
  collectives::PlacedNetwork placed = place_network(placement_, Form::spread);
  std::vector<std::unique_ptr<Member>> members;
  std::vector<collectives::Lowering> lowerings;
  for (const auto& group : groups) {
    auto member = std::make_unique<Member>();
    member->ranks = join(*placement_.cluster, library_, machines_of(group),
                         &placement_.ranks().nccl(), member->views);
    lowerings.emplace_back(member->ranks, placement_.costs, placed);
    members.push_back(std::move(member));
  }
  TaskGraph graph;
  std::vector<TaskId> ends;
  for (auto& lowering : lowerings) ends.push_back(lowering.add(graph, collective, size, {}).end);
  const Timeline timeline = simulate_checked(graph, placed.network(), settings_);
  SimTime last{};
  for (const TaskId end : ends) last = std::max(last, timeline.find(end, 0)->end);
  return last;
}

SimTime GroupTimes::time(Axis axis, Collective collective, Bytes size) {
  const Groups all = training::groups(parallelism_, axis);
  if (all.front().size() < 2 || size == Bytes{0}) return SimTime{0};
  const auto [it, is_new] = known_.try_emplace({axis, collective, size.count()}, SimTime{0});
  if (is_new) it->second = simulate(meeting(all), collective, size);
  return it->second;
}

SimTime GroupTimes::send(Bytes size) {
  if (parallelism_.pipeline < 2 || size == Bytes{0}) return SimTime{0};
  const auto [it, is_new] =
      known_.try_emplace({Axis::kPipeline, Collective::kSendRecv, size.count()}, SimTime{0});
  if (!is_new) return it->second;
  Groups pairs;
  for (const auto& stages : training::groups(parallelism_, Axis::kPipeline)) {
    for (std::size_t s = 0; s + 1 < stages.size(); ++s) pairs.push_back({stages[s], stages[s + 1]});
  }
  // The slowest step between stages counts: between hosts if there is one.
  std::map<bool, Groups> by_reach;
  for (auto& pair : pairs) {
    by_reach[ranks_[pair[0]].first != ranks_[pair[1]].first].push_back(std::move(pair));
  }
  for (const auto& [between_hosts, some] : by_reach) {
    it->second = std::max(it->second, simulate(meeting(some), Collective::kSendRecv, size));
  }
  return it->second;
}

}  // namespace vgsim::scenario
