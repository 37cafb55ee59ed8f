#pragma once

#include <cstdint>

#include "models/collectives/nccl/tuning/communicator.hpp"
#include "sim/units.hpp"

namespace vgsim::collectives::nccl {

/// The distribution of a call over channels, and the chunks of a channel's share.
struct WorkSplit {
  int channels = 1;       ///< for this size
  int warps = 0;          ///< of a channel: 32 threads each
  int channels_used = 1;  ///< channels with data
  /// Bytes of the first channel, of each one between first and last, and of the last. AllGather and
  /// ReduceScatter distribute one rank's part, the others the buffer.
  Bytes first{}, middle{}, last{};
  Bytes dealt{};            ///< a channel's fair share, in whole cells (NCCL's bytes per channel)
  Bytes chunk{};            ///< data of one step
  int slots_per_chunk = 1;  ///< chunkSteps
  int slots_per_slice = 1;  ///< sliceSteps; a chunk moves in slices
};

/// `size` as in candidates(). Source: NVIDIA/nccl src/enqueue.cc (getAlgoInfo,
/// scheduleCollTasksToPlan, calcCollChunking).
[[nodiscard]] WorkSplit split_work(Function function, Algorithm algorithm, Protocol protocol,
                                   Bytes size, const Communicator& communicator,
                                   const Constants& constants);

}  // namespace vgsim::collectives::nccl
