#pragma once

#include <cstdint>
#include <vector>

#include "models/collectives/nccl/search/capacity.hpp"
#include "models/collectives/nccl/search/search_result.hpp"

namespace vgsim::collectives::nccl {

/// A set of channels during the search, with its limits.
struct Draft {
  Pattern pattern = Pattern::kRing;
  bool collnet = false;  ///< only NETs with in-network reduction
  int cross_nic = 0;
  int min_channels = 1;
  int max_channels = 1;
  float speed_intra = 0;  ///< GB/s per channel
  float speed_inter = 0;
  PathType type_intra = PathType::kLoc;  ///< worst allowed path
  PathType type_inter = PathType::kPix;
  bool same_channels = true;
  float latency_inter = 0;  ///< us
  int hops = 0;
  int channels = 0;
  std::vector<int> gpus;  ///< [channel][place]
  std::vector<int> nets;  ///< [channel][first, last]; -1 if the graph stays in the node
};

/// Rank of a GPU as the next one of a channel, lower is better; see search.cpp.
using Score = std::uint64_t;

/// Data shared by all searches of one NCCL node.
struct SearchSpace {
  SearchSpace(const Connected& node, const Rules& node_rules, bool leaves_node);

  const Connected& connected;
  const Rules& rules;
  bool inter = false;  ///< channels begin and end at NETs
  Capacity capacity;
  std::vector<std::vector<std::size_t>> nearest;  ///< [NET]: see nearest_gpus()
  /// The parts of scores that do not depend on remaining capacity.
  std::vector<Score> score_between;   ///< [GPU][GPU]
  std::vector<Score> score_from_net;  ///< [NET][GPU]
};

/// Remaining steps of a search. 0: used up; `perfect`: nothing left to improve.
struct Budget {
  int steps = 0;
  bool perfect = false;

  [[nodiscard]] bool over() const { return perfect || steps <= 0; }
};

/// Places channels within the limits of `draft`, depth first, and keeps the best set in `best`,
/// which can hold an earlier one. Returns whether `best` changed.
bool search_channels(SearchSpace& space, Draft draft, Draft& best, Budget& budget);

}  // namespace vgsim::collectives::nccl
