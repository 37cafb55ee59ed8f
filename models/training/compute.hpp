#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/training/buckets.hpp"
#include "models/training/network.hpp"
#include "models/training/parallelism.hpp"
#include "models/training/product_times.hpp"
#include "sim/ratio.hpp"
#include "sim/units.hpp"

namespace vgsim::training {

/// Returns `time` times `factor`, rounded. Throws OverflowError beyond 106 days.
[[nodiscard]] SimTime stretched(SimTime time, double factor);

/// The rates that a GPU achieves on one network, after the achieved share.
struct ComputeRates {
  Ratio flops_per_second = 1;
  Ratio memory_bytes_per_second = 1;
  /// Bytes to and from memory for each element of activations that a forward pass keeps, if
  /// `flops_per_second` is the rate of matrix products alone; else 0.
  double traffic_per_kept_element = 0;
  /// Bytes to and from memory for each weight that autocast converts to 16 bits in a forward pass,
  /// and for each gradient that a backward pass converts to 32 bits; 0 where traffic is not
  /// counted.
  double traffic_per_cast = 0;
  /// Bytes to and from memory for each byte of a gradient that is reduced, beyond the reduction
  /// itself; 0 where gradients are reduced in place.
  double traffic_per_gradient_byte = 0;
  /// Time of an operation of attention scores divided by that of a matrix product, in the forward
  /// pass. The ratio below divides the backward pass by the forward pass.
  double score_cost = 1.0;
  double score_backward_ratio = 2.0;
  SimTime kernel_gap{};       ///< between two kernels on the GPU
  SimTime launch_interval{};  ///< between two launches by the host
  /// Times of matrix products with weights by shape; nothing: all at `flops_per_second`.
  std::optional<ProductTimes> products;

  /// Stretches all passes by `factor`, and operations by at least `least_of_operations`.
  void slow_down(double factor, double least_of_operations = 0.0);

  [[nodiscard]] SimTime traffic(double kept_elements) const;
  /// Time to copy gradients of that size to the buffer of their reduction and back.
  [[nodiscard]] SimTime copies(Bytes gradients) const;
  /// Time to convert the weights of a layer in a forward pass, or their gradients in a backward
  /// pass.
  [[nodiscard]] SimTime casts(const LayerGroup& layer, const Parallelism& rank,
                              bool of_gradients) const;
  /// Time of a layer's forward kernels beyond computing and memory traffic.
  [[nodiscard]] SimTime overhead(const LayerGroup& layer) const;

  // The work of a rank for one micro-batch of samples with `tokens` tokens.
  /// Matrix products with weights; for layers without products, all operations but scores.
  [[nodiscard]] SimTime dense(const LayerGroup& layer, const Parallelism& rank, std::int64_t tokens,
                              ProductPass pass) const;
  /// Attention scores of a forward pass.
  [[nodiscard]] SimTime scores(const LayerGroup& layer, const Parallelism& rank,
                               std::int64_t tokens) const;
  [[nodiscard]] SimTime forward(const LayerGroup& layer, const Parallelism& rank,
                                std::int64_t tokens) const;
  /// `ratio`: operations divided by those of the forward pass. Frozen weights have no gradient.
  [[nodiscard]] SimTime backward(const LayerGroup& layer, const Parallelism& rank,
                                 std::int64_t tokens, std::int64_t ratio) const;

 private:
  [[nodiscard]] SimTime moved(double bytes) const;
  [[nodiscard]] SimTime operations_time(const Ratio& of_sample, const Parallelism& rank) const;
};

/// Elements of activations of one micro-batch that go through one rank's memory in the forward pass
/// of a layer group.
[[nodiscard]] double kept_elements(const LayerGroup& layer, const Parallelism& parallelism,
                                   std::int64_t tokens);

/// Compute times of one rank in an iteration.
struct ComputeTimes {
  SimTime forward{};
  /// Backward pass, cut where gradient buckets become ready: one entry per bucket, then the rest.
  std::vector<SimTime> backward;
  SimTime optimizer{};
  SimTime launch_wait{};      ///< part of the passes: waiting for launches by the host
  SimTime gradient_copies{};  ///< part of the backward pass: into buckets and out of them
};

/// One iteration of one data-parallel rank with one micro-batch. Forward: the operations that the
/// network states, memory traffic where it is counted, and a gap after each kernel. Backward:
/// `backward_ratio` times the operations, and twice everything else but casts. Neither pass is
/// faster than the host launches kernels. The optimizer is limited by memory bandwidth. A network
/// without operations and kernels computes in no time at any rate.
[[nodiscard]] ComputeTimes compute_times(const NetworkModel& network,
                                         const std::vector<GradientBucket>& buckets,
                                         const Parallelism& rank, std::int64_t tokens,
                                         std::int64_t backward_ratio, Bytes optimizer_bytes,
                                         const ComputeRates& rates);

}  // namespace vgsim::training
