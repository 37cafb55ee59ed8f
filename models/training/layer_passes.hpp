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

/// A collective among the ranks of an axis, `times` over.
struct Exchange {
  Axis axis{};
  collectives::Collective collective{};
  Bytes size{};  ///< as NCCL counts them
  std::int64_t times = 1;

  bool operator==(const Exchange&) const = default;
};

/// Bytes that one rank sends.
[[nodiscard]] double sent_by_rank(const Exchange& exchange, const Parallelism& parallelism);

/// Adds an exchange; as one with those of the same kind and size.
void append(std::vector<Exchange>& exchanges, const Exchange& more);

/// A part of computing, and exchanges that go on beside it.
struct OverlappedWork {
  SimTime compute{};
  std::vector<Exchange> exchanges;

  OverlappedWork& operator+=(const OverlappedWork& other);
};

/// What one pass of a layer takes on one rank, for one micro-batch.
struct LayerTimes {
  SimTime compute{};
  SimTime weights{};                ///< of `compute`, gradients of weights
  SimTime launches{};               ///< of the host
  std::vector<Exchange> exchanges;  ///< that the rank waits for
  OverlappedWork scores;            ///< of attention, while keys and values go round
  OverlappedWork products;          ///< while tensor-parallel ranks sum, where they overlap
  OverlappedWork gradients;         ///< of products split by columns, where only these overlap

  LayerTimes& operator+=(const LayerTimes& other);
};

/// The passes of a parallel job's layers: operations of one rank and what it exchanges with others.
///
/// Operations and activations are split over tensor- and context-parallel ranks. Tensor-parallel
/// ranks sum a token's width after attention and feed-forward part, going forward, and before them,
/// going backward (M. Shoeybi et al., Megatron-LM, 2019); with split sequences the sum is a
/// ReduceScatter and an AllGather (V. Korthikanti et al., 2022), which may go on beside the matrix
/// products that take or make them, cut into chunks (S. Wang et al., Overlap Communication with
/// Dependent Computation via Decomposition, 2023; PyTorch's asynchronous tensor parallelism). Or
/// the sum of a backward pass goes on while gradients of the weights behind it are computed, and
/// split sequences are gathered once more beside the gradients of their products
/// (LinearWithGradAccumulationAndAsyncCommunication of Megatron-LM). Keys and values go round the
/// context-parallel ranks behind the scores that they are for (H. Liu et al., Ring Attention,
/// 2023), or AllToAll gives each of them some heads before the scores, and the tokens back after
/// them. Tokens travel to their experts and back by AllToAll; all wait for the busiest expert.
class LayerPasses {
 public:
  /// `rates`: of the GPUs of all ranks.
  /// `backward_ratio`: operations of a backward pass to those of the forward pass.
  LayerPasses(const TrainingJob& job, ComputeRates rates, std::int64_t backward_ratio);

  [[nodiscard]] LayerTimes forward(const LayerGroup& layer) const;
  /// With what is computed, and exchanged, again.
  [[nodiscard]] LayerTimes backward(const LayerGroup& layer) const;

  /// What data-parallel ranks exchange of so many bytes of parameters, those of experts among the
  /// ranks that hold the same. Several copies: of ReduceScatter the sums between copies as well.
  [[nodiscard]] std::vector<Exchange> among_replicas(collectives::Collective collective,
                                                     const Held& parameters,
                                                     double bytes_of_each) const;
  /// What a backward pass gathers of parameters that the forward pass has gathered before.
  [[nodiscard]] std::vector<Exchange> gathered_again(const Held& parameters,
                                                     double bytes_of_each) const;
  /// Activations of one micro-batch that a rank sends to the next stage.
  [[nodiscard]] Bytes sent_to_next_stage() const;

  [[nodiscard]] const ComputeRates& rates() const { return rates_; }

 private:
  [[nodiscard]] double own_tokens() const;
  [[nodiscard]] SimTime not_computed_again(const LayerGroup& layer) const;
  [[nodiscard]] SimTime beside_products(const LayerGroup& layer) const;
  void exchange(Axis axis, collectives::Collective collective, double bytes, std::int64_t times,
                std::vector<Exchange>& exchanges) const;
  void add_tensor_sum(LayerTimes& times) const;
  void add_tensor_sum_of_gradients(const LayerGroup& layer, LayerTimes& times) const;
  void add_keys_and_values(const LayerGroup& layer, std::int64_t rounds, LayerTimes& times) const;
  void add_heads(std::int64_t rounds, LayerTimes& times) const;
  void add_ways_to_experts(LayerTimes& times) const;
  [[nodiscard]] bool sums_beside_gradients(const LayerGroup& layer) const;
  void add_exchanges(const LayerGroup& layer, bool sums, std::int64_t rounds,
                     LayerTimes& times) const;

  const TrainingJob& job_;
  const Parallelism& p_;
  ComputeRates rates_;
  std::int64_t backward_ratio_;
};

}  // namespace vgsim::training
