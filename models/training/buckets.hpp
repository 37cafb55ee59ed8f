#pragma once

#include <cstddef>
#include <vector>

#include "models/training/network.hpp"
#include "sim/units.hpp"

namespace vgsim::training {

/// Gradients that are reduced together.
struct GradientBucket {
  Bytes size{};
  /// The layer group whose backward pass completes it: the earliest one with a tensor in it.
  std::size_t ready_after_layer = 0;
};

/// Cuts the gradients into buckets as PyTorch's DistributedDataParallel does: tensors in reverse
/// order of registration are collected until the bucket holds at least its cap; the first bucket
/// has a smaller cap so that communication starts early. A tensor is never split.
/// Source: pytorch/pytorch torch/csrc/distributed/c10d/reducer.cpp,
/// compute_bucket_assignment_by_size.
[[nodiscard]] std::vector<GradientBucket> ddp_buckets(const NetworkModel& network,
                                                      Bytes bytes_per_gradient, Bytes first_cap,
                                                      Bytes cap);

/// All gradients in one bucket, ready when the backward pass ends.
[[nodiscard]] std::vector<GradientBucket> single_bucket(const NetworkModel& network,
                                                        Bytes bytes_per_gradient);

}  // namespace vgsim::training
