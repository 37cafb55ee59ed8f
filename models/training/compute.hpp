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

/// A time that takes so many times as long, rounded. Throws OverflowError beyond 106 days.
[[nodiscard]] SimTime stretched(SimTime time, double factor);

/// What a GPU achieves on one network. Both rates are after the achieved share. Tokens of the
/// busiest expert-parallel rank make all wait.
struct ComputeRates {
  Ratio flops_per_second = 1;
  Ratio memory_bytes_per_second = 1;
  /// To and from memory for each element of activations that a forward pass keeps, where the first
  /// rate is that of matrix products alone; else 0.
  double traffic_per_kept_element = 0;
  /// To and from memory for each weight that a forward pass by autocast turns into 16 bits, and
  /// for each gradient that a backward pass turns back, where it counts traffic.
  double traffic_per_cast = 0;
  /// Of an operation of attention's scores, forward, over that of a matrix product; and going
  /// backward, for each of the forward pass.
  double score_cost = 1.0;
  double score_backward_ratio = 2.0;
  SimTime kernel_gap{};       ///< of a GPU between two kernels
  SimTime launch_interval{};  ///< of the host from one launch to the next
  /// Matrix products with weights by their shapes; nothing: all at the first rate.
  std::optional<ProductTimes> products;

  /// Lets all passes take so many times as long, but operations at least so many times.
  void slow_down(double factor, double least_of_operations = 0.0);

  [[nodiscard]] SimTime traffic(double kept_elements) const;
  /// Of the weights of a layer, in a forward pass, or of their gradients, in a backward pass.
  [[nodiscard]] SimTime casts(const LayerGroup& layer, const Parallelism& rank,
                              bool of_gradients) const;
  /// Of the kernels of a layer's forward pass, beside what they compute and move.
  [[nodiscard]] SimTime overhead(const LayerGroup& layer) const;

  // What a rank computes of a micro-batch of samples of that many tokens.
  /// Matrix products with weights, or all but scores of other layers.
  [[nodiscard]] SimTime dense(const LayerGroup& layer, const Parallelism& rank, std::int64_t tokens,
                              ProductPass pass) const;
  /// Attention's scores of a forward pass.
  [[nodiscard]] SimTime scores(const LayerGroup& layer, const Parallelism& rank,
                               std::int64_t tokens) const;
  [[nodiscard]] SimTime forward(const LayerGroup& layer, const Parallelism& rank,
                                std::int64_t tokens) const;
  /// `ratio`: of operations, to those of the forward pass. Frozen weights have no gradient.
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

/// How long one rank computes in an iteration.
struct ComputeTimes {
  SimTime forward{};
  /// Backward pass, cut where gradient buckets become ready: one entry per bucket, then the rest.
  std::vector<SimTime> backward;
  SimTime optimizer{};
  SimTime held_up{};  ///< of the passes, what they take longer because the host launches too slowly
};

/// One iteration of one data-parallel rank, which takes a micro-batch. Forward: operations as the
/// network states them, traffic where it is counted, a gap after each kernel; backward:
/// `backward_ratio` times the operations, twice the rest but casts; neither faster than the host
/// launches kernels. Optimizer: limited by memory. A network without operations and kernels
/// computes in no time, whatever the rates.
[[nodiscard]] ComputeTimes compute_times(const NetworkModel& network,
                                         const std::vector<GradientBucket>& buckets,
                                         const Parallelism& rank, std::int64_t tokens,
                                         std::int64_t backward_ratio, Bytes optimizer_bytes,
                                         const ComputeRates& rates);

}  // namespace vgsim::training
