#pragma once

#include "models/collectives/nccl/algorithms/record.hpp"
#include "sim/units.hpp"

namespace vgsim::collectives::nccl {

/// Bytes of data in one slot of a connection's buffer.
[[nodiscard]] Bytes slot_data(Protocol protocol, const WorkConstants& work);

/// Bytes of data of each step of a channel with `share` bytes. Small shares have smaller chunks, so
/// that the pipeline fills. Source: NVIDIA/nccl src/enqueue.cc, calcCollChunking.
[[nodiscard]] Bytes chunk_size(const AlgorithmCall& call, Bytes share);

}  // namespace vgsim::collectives::nccl
