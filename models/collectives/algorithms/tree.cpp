#include <algorithm>
#include <map>

#include "models/collectives/stream.hpp"

// How: inside a node a tree is a chain of GPUs, the same in all nodes whose GPUs, graph and
// resources are the same, so that the edges of one of them count for all. Edges between nodes are
// taken one by one, since the fabric may differ.

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

/// Nodes whose GPUs, graphs and resources are the same.
struct NodeForm {
  std::size_t kind;
  std::size_t view;
  std::size_t host_class;
  auto operator<=>(const NodeForm&) const = default;
};

/// The nodes of each form, in order.
std::map<NodeForm, std::vector<std::size_t>> nodes_by_form(const RankGroup& ranks,
                                                           const PlacedNetwork& placed) {
  std::map<NodeForm, std::vector<std::size_t>> nodes;
  const nccl::Decision& decision = ranks.decision();
  for (std::size_t n = 0; n < decision.nodes.size(); ++n) {
    const PlacedVm& vm = ranks.vms()[decision.nodes[n].host];
    nodes[{decision.nodes[n].kind, vm.view, placed.class_of(vm.host)}].push_back(n);
  }
  return nodes;
}

}  // namespace

Stream tree_stream(const RankGroup& ranks, const StreamRequest& request, const StepCosts& costs,
                   PlacedNetwork& placed) {
  const std::vector<int> parents = ranks.decision().tree_parents(request.channel);
  std::vector<SimTime> up(parents.size(), SimTime{0});
  PlacedNetwork::Route whole(placed);
  Stream stream;
  const auto add_edge = [&](std::size_t rank, std::int64_t times) {
    const auto parent = static_cast<std::size_t>(parents[rank]);
    const Leg leg = tree_leg(ranks, rank, parent, request.channel);
    up[rank] = step_latency(leg, request.protocol, ranks.generation(), costs);
    note_tcp(leg, stream);
    cross(whole, leg, times);
    cross(whole, tree_leg(ranks, parent, rank, request.channel), times);
  };
  const nccl::Decision& decision = ranks.decision();
  for (const auto& [form, nodes] : nodes_by_form(ranks, placed)) {
    const auto is_inside = [&](std::size_t rank) {
      return parents[rank] >= 0 &&
             ranks.node_of(static_cast<std::size_t>(parents[rank])) == ranks.node_of(rank);
    };
    for (const int number : decision.kinds[form.kind].ranks) {
      const auto rank_in = [&](std::size_t node) {
        return static_cast<std::size_t>(decision.nodes[node].first_rank + number);
      };
      const std::size_t first = rank_in(nodes.front());
      const bool inside = is_inside(first);
      if (inside) add_edge(first, static_cast<std::int64_t>(nodes.size()));
      for (const std::size_t node : nodes) {
        const std::size_t rank = rank_in(node);
        if (inside) {
          up[rank] = up[first];
        } else if (parents[rank] >= 0) {
          add_edge(rank, 1);
        }
      }
    }
  }
  const Depth depth = depth_of(parents, up);
  stream.share = 1;
  stream.latency = depth.time * 2;
  stream.fill = Ratio(2 * depth.edges - 1);
  stream.route = std::move(whole).through_all_hosts();
  return stream;
}

}  // namespace vgsim::collectives
