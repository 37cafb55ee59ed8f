#include "models/scenario/run/group_exchanger.hpp"

#include <algorithm>
#include <utility>

namespace vgsim::scenario {

using collectives::CollectiveTasks;
using collectives::TaskLabel;

GroupExchanger::GroupExchanger(const Placement& placement, const JobUnits& units,
                               collectives::PlacedNetwork& placed, collectives::Fidelity fidelity)
    : units_(units), all_(placement.ranks(), placement.costs, placed, fidelity) {
  if (placement.job.exchanges()) all_.use_pattern(placement.job.pattern);
  for (const collectives::RankGroup& communicator : units.communicators) {
    communicators_.emplace_back(communicator, placement.costs, placed).join_channels();
  }
}

CollectiveTasks GroupExchanger::exchange(TaskGraph& graph, std::size_t group,
                                         const training::Exchange& exchange, TaskLabel label) {
  const collectives::CollectiveWork work{exchange.collective, exchange.size, exchange.times};
  if (units_.communicators_of_group.empty()) return all_.add(graph, work, label);
  const std::vector<std::size_t>& communicators = units_.communicators_of_group[group];
  if (communicators.size() == 1) {
    return communicators_[communicators.front()].add(graph, work, label);
  }
  const Task joint{SimTime{0}, std::nullopt, label.category, label.subject, 1};
  CollectiveTasks all{graph.add(joint), {}, SimTime{0}};
  std::vector<TaskId> ends;
  for (const std::size_t communicator : communicators) {
    const CollectiveTasks one = communicators_[communicator].add(graph, work, label);
    graph.depend(all.begin, one.begin);
    ends.push_back(one.end);
    all.fixed = std::max(all.fixed, one.fixed);
  }
  all.end = graph.add(joint);
  for (const TaskId end : ends) graph.depend(end, all.end);
  return all;
}

CollectiveTasks GroupExchanger::send(TaskGraph& graph, std::size_t from, std::size_t to, Bytes size,
                                     TaskLabel label) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < units_.units[from].size(); ++i) {
    pairs.emplace_back(units_.units[from][i], units_.units[to][i]);
  }
  return all_.add_sends(graph, pairs, size, label);
}

}  // namespace vgsim::scenario
