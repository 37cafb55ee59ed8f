#pragma once

#include "models/collectives/nccl/tuning/communicator.hpp"

namespace vgsim::collectives::nccl {

/// Steps of a ring of `ranks`: 2 (n - 1) for AllReduce, n - 1 for AllGather and ReduceScatter, n
/// for Broadcast and Reduce.
[[nodiscard]] int ring_steps(Function function, int ranks);

/// GB/s of the whole buffer (algorithm bandwidth) that NCCL credits an algorithm with; 0 where it
/// will not use it. Source: NVIDIA/nccl src/graph/tuning.cc, ncclTopoTuneModel.
[[nodiscard]] double algorithm_bandwidth(Function function, Algorithm algorithm, Protocol protocol,
                                         const Communicator& communicator,
                                         const Constants& constants);

}  // namespace vgsim::collectives::nccl
