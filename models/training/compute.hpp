#pragma once

#include <cstdint>
#include <vector>

#include "models/training/buckets.hpp"
#include "models/training/network.hpp"
#include "sim/exact.hpp"
#include "sim/units.hpp"

namespace vgsim::training {

/// What a GPU achieves on one network. Both rates are after the achieved share.
struct ComputeRates {
  Exact flops_per_second;
  Exact memory_bytes_per_second;
  /// The first is what matrix products reach, so that traffic to memory comes on top of it.
  bool counts_traffic = false;
};

/// How long one rank computes in an iteration.
struct ComputeTimes {
  SimTime forward{};
  /// Backward pass, cut where gradient buckets become ready: one entry per bucket, then the rest.
  std::vector<SimTime> backward;
  SimTime optimizer{};
};

/// One iteration of one rank, by operation counts: forward as the network states it, backward
/// `backward_ratio` times that, optimizer limited by device memory.
/// A network without operations computes in no time, whatever the rates.
[[nodiscard]] ComputeTimes compute_times(const NetworkModel& network,
                                         const std::vector<GradientBucket>& buckets,
                                         std::int64_t batch, std::int64_t tokens,
                                         std::int64_t backward_ratio, Bytes optimizer_bytes,
                                         const ComputeRates& rates);

}  // namespace vgsim::training
