#pragma once

#include <cstdint>
#include <vector>

#include "models/collectives/collective.hpp"
#include "models/training/compute.hpp"
#include "models/training/layer_group.hpp"
#include "models/training/memory.hpp"
#include "models/training/parallelism.hpp"
#include "models/training/training_job.hpp"

namespace vgsim::training {

/// A collective among the ranks of an axis, run `times` times.
struct Exchange {
  Axis axis{};
  collectives::Collective collective{};
  Bytes size{};  ///< as NCCL counts it
  std::int64_t times = 1;

  bool operator==(const Exchange&) const = default;
};

/// Bytes that one rank sends.
[[nodiscard]] double sent_by_rank(const Exchange& exchange, const Parallelism& parallelism);

/// Adds an exchange; merges it with one of the same kind and size.
void append(std::vector<Exchange>& exchanges, const Exchange& more);

/// Computing, and the exchanges that overlap it.
struct OverlappedWork {
  SimTime compute{};
  std::vector<Exchange> exchanges;

  OverlappedWork& operator+=(const OverlappedWork& other);
};

/// The work of one pass of a layer on one rank, for one micro-batch.
struct LayerTimes {
  SimTime compute{};
  SimTime weights{};                ///< part of `compute`: gradients of weights
  SimTime launches{};               ///< by the host
  std::vector<Exchange> exchanges;  ///< that block the rank
  OverlappedWork scores;            ///< attention, while keys and values are exchanged
  OverlappedWork products;          ///< overlapped with sums of tensor-parallel ranks, if enabled
  OverlappedWork gradients;         ///< of column-parallel products, if only these overlap
  OverlappedWork launch_wait;       ///< the GPU waits for launches, and exchanges go on

  LayerTimes& operator+=(const LayerTimes& other);
};

/// The passes of a parallel job's layers: operations of one rank and its exchanges with others.
///
/// Tensor- and context-parallel ranks split operations and activations. Tensor-parallel ranks sum
/// the activations of each token after attention and feed-forward part in the forward pass, and
/// before them in the backward pass (M. Shoeybi et al., Megatron-LM, 2019). Sequence parallelism
/// replaces the sum by ReduceScatter and AllGather (V. Korthikanti et al., 2022). These can overlap
/// the matrix products that consume or produce the data, in chunks (S. Wang et al., Overlap
/// Communication with Dependent Computation via Decomposition, 2023; PyTorch's asynchronous tensor
/// parallelism). Alternatively the sum of a backward pass overlaps the gradients of weights, and
/// sequences are gathered once more during the gradients of their products
/// (LinearWithGradAccumulationAndAsyncCommunication of Megatron-LM). Context-parallel ranks pass
/// keys and values around a ring during the scores (H. Liu et al., Ring Attention, 2023), or
/// AllToAll distributes heads before the scores and tokens after them. AllToAll sends tokens to
/// their experts and back; all ranks wait for the busiest expert.
class LayerPasses {
 public:
  /// `rates`: of the GPUs of all ranks.
  /// `backward_ratio`: operations of a backward pass divided by those of the forward pass.
  LayerPasses(const TrainingJob& job, ComputeRates rates, std::int64_t backward_ratio);

  [[nodiscard]] LayerTimes forward(const LayerGroup& layer) const;
  /// Includes recomputed operations and exchanges.
  [[nodiscard]] LayerTimes backward(const LayerGroup& layer) const;

  /// The exchanges of data-parallel ranks for parameters of `bytes_of_each` bytes each. Parameters
  /// of experts are exchanged among the ranks that hold the same experts. With several copies,
  /// ReduceScatter includes the sums between copies.
  [[nodiscard]] std::vector<Exchange> data_parallel_exchanges(collectives::Collective collective,
                                                              const HeldParameters& parameters,
                                                              double bytes_of_each) const;
  /// The AllGather of a backward pass for parameters that the forward pass has gathered before.
  [[nodiscard]] std::vector<Exchange> gathered_in_backward(const HeldParameters& parameters,
                                                           double bytes_of_each) const;
  /// Activations of one micro-batch that a rank sends to the next stage.
  [[nodiscard]] Bytes sent_to_next_stage() const;

  [[nodiscard]] const ComputeRates& rates() const { return rates_; }

 private:
  [[nodiscard]] double own_tokens() const;
  [[nodiscard]] SimTime not_recomputed(const LayerGroup& layer) const;
  [[nodiscard]] SimTime other_than_products(const LayerGroup& layer) const;
  void exchange(Axis axis, collectives::Collective collective, double bytes, std::int64_t times,
                std::vector<Exchange>& exchanges) const;
  void add_tensor_sum(LayerTimes& times) const;
  void add_tensor_sum_of_gradients(const LayerGroup& layer, LayerTimes& times) const;
  void add_keys_and_values(const LayerGroup& layer, std::int64_t rounds, LayerTimes& times) const;
  void add_heads(std::int64_t rounds, LayerTimes& times) const;
  void add_expert_exchanges(LayerTimes& times) const;
  [[nodiscard]] bool sums_overlap_gradients(const LayerGroup& layer) const;
  void add_exchanges(const LayerGroup& layer, bool sums, std::int64_t rounds,
                     LayerTimes& times) const;

  const TrainingJob& job_;
  const Parallelism& p_;
  ComputeRates rates_;
  std::int64_t backward_ratio_;
};

}  // namespace vgsim::training
