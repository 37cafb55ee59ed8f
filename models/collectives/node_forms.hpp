#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/collectives/nccl/search/double_tree.hpp"
#include "models/collectives/placed_network.hpp"
#include "models/collectives/rank_group.hpp"
#include "models/collectives/stream.hpp"

namespace vgsim::collectives {

/// The nodes of a group of ranks by what they have in common. A form is one of nodes whose GPUs,
/// graphs and resources are the same.
struct NodeForms {
  NodeForms(const RankGroup& ranks, const PlacedNetwork& placed);

  std::vector<std::uint32_t> of_node;
  std::vector<std::vector<std::size_t>> nodes;           ///< by form, in order
  std::array<std::vector<nccl::TreePlace>, 2> in_trees;  ///< by tree and node
};

/// Lets a route cross legs between nodes, there and back. Legs between the same GPUs of nodes of
/// the same two forms differ in what they cross of the fabric alone, so the rest is crossed once
/// for all of them.
class NodeLegs {
 public:
  /// All must outlive it.
  NodeLegs(const RankGroup& ranks, const NodeForms& forms, PlacedNetwork::Route& route)
      : ranks_(&ranks), forms_(&forms), route_(&route) {}

  struct Ends {
    std::size_t from = 0;  ///< ranks of different nodes
    std::size_t to = 0;
    std::size_t way = 0;  ///< a number below kWays, the same for the same GPUs of the forms
  };
  static constexpr std::size_t kWays = 256;

  /// Crosses the legs that `find` gives for two ranks, each `times` over. The first of them, valid
  /// until the next call; its hosts are of the forms, but not those of the ranks.
  template <class Find>
  const Leg& cross(const Ends& ends, std::int64_t times, const Find& find);
  /// Crosses what legs have in common: once, after all of them.
  void end();

 private:
  struct Pair {
    Leg there;
    Leg back;
    std::int64_t times = 0;
  };
  /// What legs between two hosts cross of the fabric.
  void cross_fabric(Pair& pair, std::size_t from_host, std::size_t to_host, std::int64_t times);

  const RankGroup* ranks_;
  const NodeForms* forms_;
  PlacedNetwork::Route* route_;
  std::unordered_map<std::size_t, Pair> pairs_;
  Leg inside_;  ///< of two nodes of one host, the last
};

template <class Find>
const Leg& NodeLegs::cross(const Ends& ends, std::int64_t times, const Find& find) {
  const std::size_t from_host = ranks_->host_of(ends.from);
  const std::size_t to_host = ranks_->host_of(ends.to);
  if (from_host == to_host) {
    inside_ = find(ends.from, ends.to);
    collectives::cross(*route_, inside_, times);
    collectives::cross(*route_, find(ends.to, ends.from), times);
    return inside_;
  }
  const std::size_t count = forms_->nodes.size();
  const std::size_t key = (forms_->of_node[ranks_->node_of(ends.from)] * count +
                           forms_->of_node[ranks_->node_of(ends.to)]) *
                              kWays +
                          ends.way;
  const auto [it, is_new] = pairs_.try_emplace(key);
  Pair& pair = it->second;
  if (is_new) pair = {find(ends.from, ends.to), find(ends.to, ends.from), 0};
  pair.times += times;
  cross_fabric(pair, from_host, to_host, times);
  return pair.there;
}

}  // namespace vgsim::collectives
