#pragma once

#include "models/collectives/nccl/algorithms/record.hpp"
#include "sim/units.hpp"

namespace vgsim::collectives::nccl {

/// Bytes of data in one slot of a connection's buffer.
[[nodiscard]] Bytes slot_data(Protocol protocol, const WorkConstants& work);

/// Bytes of data that a channel with `share` bytes moves per step. Small shares are cut finer, so
/// that the steps of the pipeline fill. Source: NVIDIA/nccl src/enqueue.cc, calcCollChunking.
[[nodiscard]] Bytes chunk_size(const AlgorithmCall& call, Bytes share);

}  // namespace vgsim::collectives::nccl
