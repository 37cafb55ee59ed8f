#pragma once

#include "models/collectives/nccl/tuning/communicator.hpp"

namespace vgsim::collectives::nccl {

/// us that NCCL's model adds for an algorithm whatever the size. What is measured is about twice
/// as much; it serves the choice only. Source: NVIDIA/nccl src/graph/tuning.cc,
/// ncclTopoTuneModel.
[[nodiscard]] double algorithm_latency(Function function, Algorithm algorithm, Protocol protocol,
                                       const Communicator& communicator,
                                       const Constants& constants);

}  // namespace vgsim::collectives::nccl
