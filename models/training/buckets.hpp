#pragma once

#include <cstddef>
#include <vector>

#include "models/training/network.hpp"
#include "sim/units.hpp"

namespace vgsim::training {

/// Gradients that are reduced together.
struct GradientBucket {
  Bytes size{};
  /// The layer group whose backward pass completes the bucket: the earliest one with a tensor in
  /// it.
  std::size_t ready_after_layer = 0;
};

/// Cuts the gradients into buckets as PyTorch's DistributedDataParallel does. Tensors are collected
/// in reverse order of registration until the bucket holds at least its cap. The first bucket has a
/// smaller cap so that communication starts early. A tensor is never split. Source: pytorch/pytorch
/// torch/csrc/distributed/c10d/reducer.cpp, compute_bucket_assignment_by_size.
[[nodiscard]] std::vector<GradientBucket> ddp_buckets(const NetworkModel& network,
                                                      Bytes bytes_per_gradient, Bytes first_cap,
                                                      Bytes cap);

/// Fuses gradients as Horovod does: gradients that become ready within one cycle are reduced
/// together, in buckets of at most `threshold` where whole layers allow. `ready` holds the end of
/// the backward pass of each layer. Source: https://github.com/horovod/horovod
/// docs/tensor-fusion.rst.
[[nodiscard]] std::vector<GradientBucket> fused_buckets(const NetworkModel& network,
                                                        Bytes bytes_per_gradient, Bytes threshold,
                                                        SimTime cycle,
                                                        const std::vector<SimTime>& ready);

/// All gradients in one bucket, ready when the backward pass ends.
[[nodiscard]] std::vector<GradientBucket> single_bucket(const NetworkModel& network,
                                                        Bytes bytes_per_gradient);

}  // namespace vgsim::training
