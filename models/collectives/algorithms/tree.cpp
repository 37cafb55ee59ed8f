#include <algorithm>

#include "models/collectives/stream.hpp"

namespace vgsim::collectives {
namespace {

Leg tree_leg(const RankGroup& ranks, std::size_t from, std::size_t to, int channel) {
  if (ranks.node_of(from) == ranks.node_of(to)) return ranks.inside(from, to);
  return ranks.across(from, ranks.tree_nic(from, channel), to, ranks.tree_nic(to, channel));
}

/// Length of the longest way from a leaf to the root.
struct Depth {
  SimTime time{};
  std::int64_t edges = 0;
};

Depth depth_of(const std::vector<int>& parents, const std::vector<SimTime>& up) {
  std::vector<Depth> to_root(parents.size());
  std::vector<bool> known(parents.size(), false);
  Depth deepest;
  for (std::size_t rank = 0; rank < parents.size(); ++rank) {
    std::vector<std::size_t> way;
    std::size_t at = rank;
    while (!known[at] && parents[at] >= 0) {
      way.push_back(at);
      at = static_cast<std::size_t>(parents[at]);
    }
    known[at] = true;
    for (auto it = way.rbegin(); it != way.rend(); ++it) {
      const Depth& above = to_root[static_cast<std::size_t>(parents[*it])];
      to_root[*it] = {above.time + up[*it], above.edges + 1};
      known[*it] = true;
    }
    deepest.time = std::max(deepest.time, to_root[rank].time);
    deepest.edges = std::max(deepest.edges, to_root[rank].edges);
  }
  return deepest;
}

}  // namespace

Stream tree_stream(const RankGroup& ranks, const StreamRequest& request, const StepCosts& costs,
                   PlacedNetwork& placed) {
  const std::vector<int> parents = ranks.decision().tree_parents(request.channel);
  std::vector<SimTime> up(parents.size(), SimTime{0});
  PlacedNetwork::Route whole(placed);
  Stream stream;
  for (std::size_t rank = 0; rank < parents.size(); ++rank) {
    if (parents[rank] < 0) continue;
    const auto parent = static_cast<std::size_t>(parents[rank]);
    const Leg leg = tree_leg(ranks, rank, parent, request.channel);
    up[rank] = step_latency(leg, request.protocol, costs);
    note_tcp(leg, stream);
    cross(whole, leg);
    cross(whole, tree_leg(ranks, parent, rank, request.channel));
  }
  const Depth depth = depth_of(parents, up);
  stream.share = 1;
  stream.latency = depth.time * 2;
  stream.fill = Ratio(2 * depth.edges - 1);
  stream.route = std::move(whole).through_all_hosts();
  return stream;
}

}  // namespace vgsim::collectives
