#pragma once

#include <cstdint>

#include "models/collectives/nccl/tuning/communicator.hpp"
#include "sim/units.hpp"

namespace vgsim::collectives::nccl {

/// How NCCL deals one call to its channels, and how a channel cuts its share into pieces.
struct WorkSplit {
  int channels = 1;       ///< that the size deserves
  int warps = 0;          ///< of a channel: 32 threads each
  int channels_used = 1;  ///< that get any bytes
  /// Bytes of the first channel, of each between first and last, and of the last. Of AllGather and
  /// ReduceScatter one rank's part is dealt, of the others the buffer.
  Bytes first{}, middle{}, last{};
  Bytes dealt{};            ///< a channel's fair share, in whole cells (NCCL's bytes per channel)
  Bytes chunk{};            ///< data of one step
  int slots_per_chunk = 1;  ///< chunkSteps
  int slots_per_slice = 1;  ///< sliceSteps; a chunk moves in slices
};

/// Source: NVIDIA/nccl src/enqueue.cc (getAlgoInfo, scheduleCollTasksToPlan, calcCollChunking).
/// `size` as in candidates().
[[nodiscard]] WorkSplit split_work(Function function, Algorithm algorithm, Protocol protocol,
                                   Bytes size, const Communicator& communicator,
                                   const Constants& constants);

}  // namespace vgsim::collectives::nccl
