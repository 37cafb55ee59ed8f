#include <algorithm>
#include <optional>

#include "models/collectives/node_classes.hpp"
#include "models/collectives/stream.hpp"

// Inside a node a tree is a chain of GPUs, the same in all nodes of a class, so the edges of one
// node count for all. Edges between nodes are added one by one, since their fabric links can
// differ.

namespace vgsim::collectives {
namespace {

/// The tree of a channel.
class Tree {
 public:
  Tree(const RankGroup& ranks, const StreamRequest& request, const StepCosts& costs,
       const NodeClasses& node_classes, PlacedNetwork& placed)
      : ranks_(ranks),
        placed_(placed),
        decision_(ranks.decision()),
        request_(request),
        costs_(costs),
        node_classes_(node_classes),
        route_(placed),
        channel_(decision_.tree_channel(request.channel)),
        chains_(node_classes.nodes.size()),
        to_parent_(decision_.nodes.size()) {}

  Stream stream() && {
    NodeLegs legs(ranks_, node_classes_, route_);
    for (std::size_t node_class = 0; node_class < node_classes_.nodes.size(); ++node_class) {
      cross_chain(node_class);
      for (const std::size_t node : node_classes_.nodes[node_class]) cross_edge(node, legs);
    }
    legs.end();
    const Deepest deepest = find_deepest();
    stream_.share = 1;
    stream_.latency = deepest.time * 2;
    stream_.route = std::move(route_).through_all_hosts();
    // A chunk goes up to the root and down again.
    add_stages(to_root(deepest.node), request_.protocol, Ways::kTree, placed_, stream_);
    return std::move(stream_);
  }

 private:
  [[nodiscard]] std::size_t rank(std::size_t node, std::size_t place) const {
    return static_cast<std::size_t>(decision_.tree_rank(node, channel_, place));
  }

  [[nodiscard]] SimTime step(const Leg& leg) {
    note_network(leg, costs_, ranks_.generation(), stream_);
    const SimTime time = step_latency(leg, request_.protocol, ranks_.generation(), costs_);
    stream_.slowest_step = std::max(stream_.slowest_step, time);
    return time;
  }

  /// From the first GPU of a node to its parent's GPU at `place`.
  [[nodiscard]] Leg edge(std::size_t from, std::size_t to) const {
    return ranks_.across(from, ranks_.tree_nic(from, request_.channel), to,
                         ranks_.tree_nic(to, request_.channel));
  }

  /// The chain through the GPUs of a class of nodes.
  void cross_chain(std::size_t node_class) {
    const std::vector<std::size_t>& nodes = node_classes_.nodes[node_class];
    const auto times = static_cast<std::int64_t>(nodes.size());
    const std::size_t node = nodes.front();
    std::vector<SimTime>& chain = chains_[node_class];
    chain.emplace_back();
    for (std::size_t i = 1; i < decision_.kinds[decision_.nodes[node].kind].ranks.size(); ++i) {
      const Leg up = ranks_.inside(rank(node, i), rank(node, i - 1));
      cross(route_, up, times);
      cross(route_, ranks_.inside(rank(node, i - 1), rank(node, i)), times);
      chain.push_back(chain.back() + step(up));
    }
  }

  /// From the first GPU of a node to its parent.
  void cross_edge(std::size_t node, NodeLegs& legs) {
    const nccl::TreePlace& place = node_classes_.in_trees[channel_.tree][node];
    if (place.parent < 0) return;
    const auto parent = static_cast<std::size_t>(place.parent);
    const std::size_t at = decision_.tree_place_at(parent, place);
    const Leg& up = legs.cross({rank(node, 0), rank(parent, at), at}, 1,
                               [&](std::size_t from, std::size_t to) { return edge(from, to); });
    to_parent_[node] = step(up);
  }

  /// The longest path from a GPU to the root: from the end of a node's chain.
  struct Deepest {
    SimTime time{};
    std::size_t node = 0;
  };
  [[nodiscard]] Deepest find_deepest() const {
    const std::vector<nccl::TreePlace>& places = node_classes_.in_trees[channel_.tree];
    std::vector<std::optional<SimTime>> to_root(places.size());
    std::vector<std::size_t> way;
    Deepest deepest;
    for (std::size_t node = 0; node < places.size(); ++node) {
      std::size_t at = node;
      while (!to_root[at] && places[at].parent >= 0) {
        way.push_back(at);
        at = static_cast<std::size_t>(places[at].parent);
      }
      if (!to_root[at]) to_root[at] = SimTime{0};
      for (; !way.empty(); way.pop_back()) {
        const auto parent = static_cast<std::size_t>(places[way.back()].parent);
        const std::size_t place = decision_.tree_place_at(parent, places[way.back()]);
        to_root[way.back()] = to_parent_[way.back()] +
                              chains_[node_classes_.of_node[parent]][place] + *to_root[parent];
      }
      const SimTime last = chains_[node_classes_.of_node[node]].back() + *to_root[node];
      if (last > deepest.time) deepest = {last, node};
    }
    return deepest;
  }

  /// The steps from the last GPU of a node to the root.
  [[nodiscard]] std::vector<Leg> to_root(std::size_t node) const {
    std::vector<Leg> legs;
    const auto along_chain = [&](std::size_t at, std::size_t place) {
      for (; place > 0; --place) {
        legs.push_back(ranks_.inside(rank(at, place), rank(at, place - 1)));
      }
    };
    along_chain(node, decision_.kinds[decision_.nodes[node].kind].ranks.size() - 1);
    const std::vector<nccl::TreePlace>& places = node_classes_.in_trees[channel_.tree];
    for (std::size_t at = node; places[at].parent >= 0;) {
      const auto parent = static_cast<std::size_t>(places[at].parent);
      const std::size_t place = decision_.tree_place_at(parent, places[at]);
      legs.push_back(edge(rank(at, 0), rank(parent, place)));
      along_chain(parent, place);
      at = parent;
    }
    return legs;
  }

  const RankGroup& ranks_;
  PlacedNetwork& placed_;
  const nccl::Decision& decision_;
  const StreamRequest& request_;
  const StepCosts& costs_;
  const NodeClasses& node_classes_;
  PlacedNetwork::Route route_;
  nccl::Decision::TreeChannel channel_;
  std::vector<std::vector<SimTime>> chains_;  ///< by class and place: to the first GPU of the node
  std::vector<SimTime> to_parent_;            ///< by node: from its first GPU to that of its parent
  Stream stream_;
};

}  // namespace

Stream tree_stream(const RankGroup& ranks, const StreamRequest& request, const StepCosts& costs,
                   const NodeClasses& node_classes, PlacedNetwork& placed) {
  return Tree(ranks, request, costs, node_classes, placed).stream();
}

}  // namespace vgsim::collectives
