#include "models/collectives/node_classes.hpp"
#include "models/collectives/stream.hpp"

namespace vgsim::collectives {
namespace {

/// The NVLinks of each GPU, `out` and `in` times the smallest part.
void cross_switch(const RankGroup& ranks, const NodeClasses& node_classes,
                  PlacedNetwork::Route& route, std::int64_t out, std::int64_t in) {
  const nccl::Decision& decision = ranks.decision();
  for (const std::vector<std::size_t>& nodes : node_classes.nodes) {
    const auto times = static_cast<std::int64_t>(nodes.size());
    const nccl::NcclNode& first = decision.nodes[nodes.front()];
    for (const int number : decision.kinds[first.kind].ranks) {
      const auto rank = static_cast<std::size_t>(first.first_rank + number);
      route.cross(ranks.host_of(rank), ranks.to_switch(rank), out * times);
      route.cross(ranks.host_of(rank), ranks.from_switch(rank), in * times);
    }
  }
}

SimTime switch_latency(const RankGroup& ranks, const StepCosts& costs) {
  return costs.nvls[static_cast<std::size_t>(ranks.generation())];
}

std::int64_t ranks_per_node(const RankGroup& ranks) {
  return static_cast<std::int64_t>(ranks.ranks() / ranks.decision().nodes.size());
}

}  // namespace

Stream nvls_stream(const RankGroup& ranks, const StreamRequest& request, const StepCosts& costs,
                   const NodeClasses& node_classes, PlacedNetwork& placed) {
  const auto n = static_cast<std::int64_t>(ranks.ranks());
  PlacedNetwork::Route route(placed);
  switch (request.collective) {
    case Collective::kAllGather:
      cross_switch(ranks, node_classes, route, 1, n);
      break;
    case Collective::kReduceScatter:
      cross_switch(ranks, node_classes, route, n, 1);
      break;
    default:
      cross_switch(ranks, node_classes, route, n + 1, n + 1);
  }
  Stream stream;
  stream.share = Ratio(1) / n;
  stream.latency = switch_latency(ranks, costs);
  const auto heads = static_cast<std::int64_t>(ranks.decision().nvls_heads);
  stream.fill = stream.share * heads;  // a chunk for each head
  stream.turnaround = costs.nvls_turnaround[static_cast<std::size_t>(ranks.generation())];
  stream.at_once = heads;
  stream.largest_chunk = Ratio(1) / heads;
  stream.route = std::move(route).through_all_hosts();
  return stream;
}

Stream nvls_tree_stream(const RankGroup& ranks, const StreamRequest& request,
                        const StepCosts& costs, const NodeClasses& node_classes,
                        PlacedNetwork& placed) {
  const nccl::Decision& decision = ranks.decision();
  const auto nodes = static_cast<int>(decision.nodes.size());
  const auto heads = static_cast<std::int64_t>(decision.nvls_heads);
  const std::int64_t per_node = ranks_per_node(ranks);
  PlacedNetwork::Route route(placed);
  cross_switch(ranks, node_classes, route, heads * (per_node + 1), heads * (per_node + 1));
  SimTime step{};
  int levels = 0;
  while ((2 << levels) <= nodes) ++levels;
  NodeLegs legs(ranks, node_classes, route);
  const std::vector<nccl::TreePlace>& places =
      node_classes.in_trees[static_cast<std::size_t>(request.channel % 2)];
  for (std::size_t node = 0; node < places.size(); ++node) {
    if (places[node].parent < 0) continue;
    const auto parent = static_cast<std::size_t>(places[node].parent);
    for (std::size_t head = 0; head < decision.nvls_heads; ++head) {
      const Leg& up =
          legs.cross({ranks.nvls_head(node, head), ranks.nvls_head(parent, head), head}, per_node,
                     [&](std::size_t from, std::size_t to) { return ranks.peer(from, to); });
      step = std::max(step, step_latency(up, nccl::Protocol::kSimple, ranks.generation(), costs));
    }
  }
  legs.end();
  Stream stream;
  stream.share = Ratio(1) / (per_node * heads);
  stream.latency = switch_latency(ranks, costs) + step * (2 * levels);
  // Twice through the NVSwitch, and up and down the tree, where a channel shares ports only with
  // channels of its tree; minus the flow of a first chunk.
  stream.fill = stream.share * heads * std::int64_t{1 + levels};
  stream.largest_chunk = Ratio(1) / heads;
  stream.route = std::move(route).through_all_hosts();
  return stream;
}

Stream collnet_stream(const RankGroup& ranks, const StreamRequest& request, const StepCosts& costs,
                      const NodeClasses& node_classes, PlacedNetwork& placed) {
  static_cast<void>(request);
  const nccl::Decision& decision = ranks.decision();
  const std::int64_t per_node = ranks_per_node(ranks);
  PlacedNetwork::Route route(placed);
  SimTime inside{};
  std::int64_t scale = 1;
  if (decision.nvls && per_node > 1) {
    scale = per_node;
    cross_switch(ranks, node_classes, route, per_node + 1, per_node + 1);
    inside = switch_latency(ranks, costs);
  } else if (per_node > 1) {
    scale = per_node;
    for (std::size_t a = 0; a < ranks.ranks(); ++a) {
      for (std::size_t b = 0; b < ranks.ranks(); ++b) {
        if (a == b || ranks.node_of(a) != ranks.node_of(b)) continue;
        const Leg leg = ranks.inside(a, b);
        cross(route, leg, 2);
        inside = std::max(
            inside, step_latency(leg, nccl::Protocol::kSimple, ranks.generation(), costs) * 2);
      }
    }
  }
  // Every rank is the head of its share of the node's sum.
  for (std::size_t rank = 0; rank < ranks.ranks(); ++rank) {
    for (const Leg& leg : ranks.to_network_and_back(rank)) cross(route, leg);
  }
  Stream stream;
  stream.share = Ratio(1) / scale;
  stream.latency = inside + costs.in_network;
  stream.route = std::move(route).through_all_hosts();
  return stream;
}

}  // namespace vgsim::collectives
