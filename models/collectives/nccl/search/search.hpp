#pragma once

#include <cstdint>
#include <vector>

#include "models/collectives/nccl/search/capacity.hpp"
#include "models/collectives/nccl/search/search_result.hpp"

namespace vgsim::collectives::nccl {

/// A set of channels while it is being searched for, and the limits that it must keep.
struct Draft {
  Pattern pattern = Pattern::kRing;
  bool collnet = false;  ///< only NETs with in-network reduction
  int cross_nic = 0;
  int min_channels = 1;
  int max_channels = 1;
  float speed_intra = 0;  ///< GB/s per channel
  float speed_inter = 0;
  PathType type_intra = PathType::kLoc;  ///< worst path that may be used
  PathType type_inter = PathType::kPix;
  bool same_channels = true;
  float latency_inter = 0;  ///< us
  int hops = 0;
  int channels = 0;
  std::vector<int> gpus;  ///< [channel][place]
  std::vector<int> nets;  ///< [channel][first, last]; -1 if the graph stays in the node
};

/// How good a GPU is as the next one of a channel, less is better; see search.cpp.
using Score = std::uint64_t;

/// What all searches of one NCCL node share.
struct SearchSpace {
  SearchSpace(const Connected& node, const Rules& node_rules, bool leaves_node);

  const Connected& connected;
  const Rules& rules;
  bool inter = false;  ///< channels begin and end at NETs
  Capacity capacity;
  std::vector<std::vector<std::size_t>> nearest;  ///< [NET]: see nearest_gpus()
  /// The parts of scores that do not change while links fill up.
  std::vector<Score> score_between;   ///< [GPU][GPU]
  std::vector<Score> score_from_net;  ///< [NET][GPU]
};

/// Steps that a search may still take. 0: used up; `perfect`: there is nothing left to improve.
struct Budget {
  int steps = 0;
  bool perfect = false;

  [[nodiscard]] bool over() const { return perfect || steps <= 0; }
};

/// Lays channel after channel within the limits of `draft`, depth first, and keeps the best set
/// found in `best`, which may hold one from before. Whether `best` changed.
bool search_channels(SearchSpace& space, Draft draft, Draft& best, Budget& budget);

}  // namespace vgsim::collectives::nccl
