#include "models/scenario/run/group_exchanger.hpp"

#include <algorithm>
#include <utility>

namespace vgsim::scenario {

using collectives::CollectiveTasks;
using collectives::TaskLabel;

GroupExchanger::GroupExchanger(const Placement& placement, const SplitRanks& ranks,
                               collectives::PlacedNetwork& placed)
    : ranks_(ranks), all_(placement.ranks(), placement.costs, placed) {
  for (const collectives::RankGroup& group : ranks.groups) {
    groups_.emplace_back(group, placement.costs, placed).join_channels();
  }
}

CollectiveTasks GroupExchanger::exchange(TaskGraph& graph, std::size_t team,
                                         const training::Exchange& exchange, TaskLabel label) {
  const collectives::CollectiveWork work{exchange.collective, exchange.size, exchange.times};
  const std::vector<std::size_t>& groups = ranks_.groups_of_team[team];
  if (groups.size() == 1) return groups_[groups.front()].add(graph, work, label);
  const Task joint{SimTime{0}, std::nullopt, label.category, label.subject, 1};
  CollectiveTasks all{graph.add(joint), {}, SimTime{0}};
  std::vector<TaskId> ends;
  for (const std::size_t group : groups) {
    const CollectiveTasks one = groups_[group].add(graph, work, label);
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
  for (std::size_t i = 0; i < ranks_.units[from].size(); ++i) {
    pairs.emplace_back(ranks_.units[from][i], ranks_.units[to][i]);
  }
  return all_.add_sends(graph, pairs, size, label);
}

}  // namespace vgsim::scenario
