#pragma once

#include <optional>

#include "models/collectives/nccl/search/search.hpp"

namespace vgsim::collectives::nccl {

/// All that NCCL searches for in one node of its.
struct NodeGraphs {
  double max_speed = 0;    ///< GB/s: the fastest path between GPUs, or from a GPU to a NET
  double total_speed = 0;  ///< GB/s: the fastest GPU's NVLinks together, or its PCI link
  SearchResult ring;
  SearchResult tree;
  std::optional<SearchResult> collnet_chain;
  std::optional<SearchResult> collnet_direct;
  std::optional<SearchResult> nvls;
};

/// Searches one node. `inter`: there are others.
[[nodiscard]] NodeGraphs search_node(const Connected& node, bool inter, const Rules& rules,
                                     const Constants& constants, const Settings& settings);

}  // namespace vgsim::collectives::nccl
