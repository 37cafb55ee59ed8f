#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "models/collectives/nccl/constants.hpp"
#include "models/collectives/nccl/machine.hpp"
#include "models/collectives/nccl/search/agreed_graph.hpp"
#include "models/collectives/nccl/search/double_tree.hpp"
#include "models/collectives/nccl/search/node_search.hpp"
#include "models/collectives/nccl/settings.hpp"

namespace vgsim::collectives::nccl {

/// NCCL's result for one node, computed once for all equal nodes.
struct NodeKind {
  std::size_t machine = 0;
  std::vector<int> ranks;  ///< by index of the GPU: its rank in the machine
  Connected connected;
  NodeGraphs graphs;
};

/// An NCCL node: a host, or the part of a host whose GPUs reach each other without the NET.
struct NcclNode {
  std::size_t host = 0;
  std::size_t kind = 0;
  int first_rank = 0;  ///< of the host
};

/// NCCL's structures of one communicator.
struct Decision {
  std::vector<NodeKind> kinds;
  std::vector<NcclNode> nodes;  ///< in the order of their lowest ranks
  std::vector<int> rank_node;   ///< by rank
  AgreedGraph ring, tree;
  std::optional<AgreedGraph> collnet_chain, collnet_direct, nvls;
  int search_channels = 0;  ///< of ring and tree together, before they are doubled
  int channels = 0;         ///< final number
  int nvls_channels = 0;    ///< 0 without NVLS
  std::size_t nvls_heads = 0;

  [[nodiscard]] int ranks() const { return static_cast<int>(rank_node.size()); }
  /// The ranks in ring order on a channel.
  [[nodiscard]] std::vector<int> ring_order(int channel) const;
  /// By rank: its parent in the tree of a channel; -1 for the root.
  [[nodiscard]] std::vector<int> tree_parents(int channel) const;
  /// The components of a channel's tree: one of the two trees between nodes, and the chains of GPUs
  /// inside nodes.
  struct TreeChannel {
    std::size_t tree = 0;
    std::size_t searched = 0;
  };
  [[nodiscard]] TreeChannel tree_channel(int channel) const;
  /// The rank at a position of a node's chain.
  [[nodiscard]] int tree_rank(std::size_t node, const TreeChannel& channel,
                              std::size_t place) const;
  /// The position in the chain of the parent's node to which a node is attached.
  [[nodiscard]] std::size_t tree_place_at(std::size_t parent, const TreePlace& child) const;
  /// The rank of a node that is head number `head` of NVLS.
  [[nodiscard]] int nvls_head(std::size_t node, std::size_t head) const;

  /// By channel: the channel before doubling that it copies; from `search_channels` on with the
  /// second binary tree.
  std::vector<int> origin;
  bool swaps_rails_by_node = false;  ///< see rules: each node by its own search
};

/// Decides for hosts in the order of their ranks. `hosts` is the index of each host in `machines`.
/// The ranks of a host are those of its machine's GPUs, numbered from 0 without gaps. Throws
/// std::invalid_argument if they are not, or if hosts that need the network have none.
[[nodiscard]] Decision decide(std::span<const Machine> machines, std::span<const std::size_t> hosts,
                              const Settings& settings, const Constants& constants);

}  // namespace vgsim::collectives::nccl
