#pragma once

#include <optional>

#include "models/collectives/nccl/search/search.hpp"

namespace vgsim::collectives::nccl {

/// All graphs that NCCL searches for in one of its nodes.
struct NodeGraphs {
  double max_speed = 0;  ///< GB/s: the fastest path between GPUs, or from a GPU to a NET
  /// GB/s: the maximum over GPUs of the sum of NVLinks, or of the PCI link
  double total_speed = 0;
  SearchResult ring;
  SearchResult tree;
  std::optional<SearchResult> collnet_chain;
  std::optional<SearchResult> collnet_direct;
  std::optional<SearchResult> nvls;
};

/// Searches one node. `inter`: there are other nodes.
[[nodiscard]] NodeGraphs search_node(const Connected& node, bool inter, const Rules& rules,
                                     const Constants& constants, const Settings& settings);

}  // namespace vgsim::collectives::nccl
