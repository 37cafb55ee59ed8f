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

/// The nodes of a group of ranks in classes. Nodes of a class have identical GPUs, graphs and
/// resources.
struct NodeClasses {
  NodeClasses(const RankGroup& ranks, const PlacedNetwork& placed);

  std::vector<std::uint32_t> of_node;
  std::vector<std::vector<std::size_t>> nodes;           ///< by class, in order
  std::array<std::vector<nccl::TreePlace>, 2> in_trees;  ///< by tree and node
};

/// Adds the legs between nodes to a route, in both directions. Legs between the same GPUs of nodes
/// of the same two classes differ only in their fabric links, so all other resources are added once
/// for all of them.
class NodeLegs {
 public:
  /// All arguments must outlive it.
  NodeLegs(const RankGroup& ranks, const NodeClasses& node_classes, PlacedNetwork::Route& route)
      : ranks_(&ranks), node_classes_(&node_classes), route_(&route) {}

  struct Ends {
    std::size_t from = 0;  ///< ranks of different nodes
    std::size_t to = 0;
    std::size_t way = 0;  ///< a number below kWays, the same for the same GPUs of the classes
  };
  static constexpr std::size_t kWays = 256;

  /// Adds the legs that `find` returns for two ranks, each `times` times. Returns the first leg of
  /// the pair of classes, valid until the next call; its hosts are of the same classes as those of
  /// the ranks, but can be others.
  template <class Find>
  const Leg& cross(const Ends& ends, std::int64_t times, const Find& find);
  /// Adds the resources that legs have in common: once, after all of them.
  void end();

 private:
  struct Pair {
    Leg there;
    Leg back;
    std::int64_t times = 0;
  };
  /// Adds the fabric links between two hosts.
  void cross_fabric(Pair& pair, std::size_t from_host, std::size_t to_host, std::int64_t times);

  const RankGroup* ranks_;
  const NodeClasses* node_classes_;
  PlacedNetwork::Route* route_;
  std::unordered_map<std::size_t, Pair> pairs_;
  Leg inside_;  ///< the last leg between two nodes of one host
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
  const std::size_t count = node_classes_->nodes.size();
  const std::size_t key = (node_classes_->of_node[ranks_->node_of(ends.from)] * count +
                           node_classes_->of_node[ranks_->node_of(ends.to)]) *
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
