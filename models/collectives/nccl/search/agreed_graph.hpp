#pragma once

#include "models/collectives/nccl/search/search_result.hpp"

namespace vgsim::collectives::nccl {

/// The agreement of all ranks on one kind of graph: minimum of channels and speeds, worst of types.
struct AgreedGraph {
  int channels = 0;  ///< of the search, before NCCL multiplies them; 0 if there are none
  bool same_channels = true;
  double speed_intra = 0, speed_inter = 0;  ///< GB/s per channel
  PathType type_intra = PathType::kLoc, type_inter = PathType::kLoc;
  int cross_nic = 0;
  double latency_inter = 0;          ///< of the NET, us; the maximum
  Pattern pattern = Pattern::kRing;  ///< of the first node
};

}  // namespace vgsim::collectives::nccl
