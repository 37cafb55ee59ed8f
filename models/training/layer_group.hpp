#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/units.hpp"

namespace vgsim::training {

/// Elements of activations that the forward pass of a layer group keeps for the backward pass.
struct Activations {
  double per_sample = 0;
  double per_token = 0;  ///< each tensor-parallel rank keeps its share
  /// each tensor-parallel rank keeps all, unless sequence parallelism splits them
  double per_token_each = 0;
  double per_token_pair = 0;  ///< attention scores, split between tensor-parallel ranks
  /// Intermediate results of the loss, split between tensor-parallel ranks; freed when the backward
  /// pass begins.
  double logits_per_token = 0;

  /// All but logits.
  [[nodiscard]] double of(std::int64_t tokens) const;
};

/// Layers that form one unit of forward work, with the parameters that they own.
struct LayerGroup {
  /// The role in tensor, expert and pipeline parallelism.
  enum class Part : std::uint8_t {
    kOther,
    kEmbedding,
    kAttention,
    kFeedForward,
    kOutput,
  };

  /// A matrix product of each token with a weight matrix.
  struct Product {
    std::int64_t in = 0;
    std::int64_t out = 0;
    /// row-parallel: tensor-parallel ranks split the summed dimension, not the results
    bool sums = false;
    bool of_experts = false;  ///< one for each expert, with the tokens routed to it
    bool trained = true;
    double of_tokens = 1.0;  ///< share of the tokens that it processes
    bool whole = false;      ///< each tensor-parallel rank computes all of it
    bool grouped = false;    ///< those of all experts of a rank are one kernel
  };

  /// Elements of one token that a block keeps for its backward pass.
  struct Kept {
    enum class Use : std::uint8_t {
      kAlways,
      kNormInput,
      kProductInput,  ///< for the gradients of the product's weights
      kAdapterInput,  ///< the same of an adapter, whose weights have 16 bits
      kDroppedInput,  ///< a copy of an adapter's input after dropout, with its mask
      kSeparateCast,  ///< a copy of a product's input, if autocast casts it for each product
      kActivated,     ///< the result of an activation function, unless fused with its product
      kAttended,      ///< the result of attention, which the next product reads
      kMask,          ///< of dropout
    };
    Use use = Use::kAlways;
    double elements = 0;
    bool split = false;  ///< between tensor-parallel ranks; else as norms are
  };

  std::string name;
  std::vector<std::int64_t> tensors;  ///< parameters of each tensor, in order of registration
  Flops flops_per_sample{};           ///< forward; the sum of these three counts
  Flops flops_per_token{};
  Flops flops_per_token_pair{};  ///< times tokens squared (attention)
  Activations activations;
  std::vector<Kept> kept;  ///< of a transformer block: memory, where `activations` count traffic
  /// Elements of one token that are kept if every second product is computed again: split between
  /// tensor-parallel ranks, and as norms are.
  double second_split = 0;
  double second_each = 0;
  double widest_input = 0;        ///< elements of one token that products of this part read
  double block_input = 0;         ///< elements of one token that enter the block
  double norm_input = 0;          ///< elements of one token that its norm reads
  std::int64_t kernels = 0;       ///< launched by the forward pass; 0: unknown
  std::vector<Product> products;  ///< included in the operations above; without scores
  Part part = Part::kOther;
  std::int64_t expert_parameters = 0;  ///< of all experts together, in `tensors` or frozen
  std::int64_t experts = 0;
  std::int64_t experts_per_token = 0;
  std::int64_t frozen = 0;  ///< parameters besides `tensors` that are not trained
  bool sharded = false;     ///< its parameters are distributed over the ranks (embedding tables)

  /// Whether it is part of a transformer block, which recomputation runs again.
  [[nodiscard]] bool is_block() const {
    return part == Part::kAttention || part == Part::kFeedForward;
  }

  /// Forward operations for one sample of `tokens` tokens (0 for networks without tokens).
  [[nodiscard]] Flops forward(std::int64_t tokens) const;
  /// Trained parameters.
  [[nodiscard]] std::int64_t parameters() const;
};

}  // namespace vgsim::training
