#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/units.hpp"

namespace vgsim::training {

/// Elements of activations that the forward pass of a layer group keeps for the backward pass.
struct Activations {
  double per_sample = 0;
  double per_token = 0;       ///< each tensor-parallel rank keeps its part
  double per_token_each = 0;  ///< each tensor-parallel rank keeps all, unless sequences are split
  double per_token_pair = 0;  ///< scores of attention, split between tensor-parallel ranks
  /// What the loss is made of, split between tensor-parallel ranks; gone once the backward pass has
  /// begun.
  double logits_per_token = 0;

  /// But logits.
  [[nodiscard]] double of(std::int64_t tokens) const;
};

/// Layers whose forward pass is one piece of work, with the parameters that they own.
struct LayerGroup {
  /// What parallelism does with it.
  enum class Part : std::uint8_t {
    kOther,
    kEmbedding,
    kAttention,
    kFeedForward,
    kOutput,
  };

  /// A matrix product of each token with a weight.
  struct Product {
    std::int64_t in = 0;
    std::int64_t out = 0;
    bool sums = false;        ///< tensor-parallel ranks split what it sums over, not its results
    bool of_experts = false;  ///< of each, with the tokens that come to it
    bool trained = true;
    double of_tokens = 1.0;  ///< share of the tokens that it is computed for
  };

  std::string name;
  std::vector<std::int64_t> tensors;  ///< parameters of each tensor, in order of registration
  Flops flops_per_sample{};           ///< forward; these three add up
  Flops flops_per_token{};
  Flops flops_per_token_pair{};  ///< times tokens squared (attention)
  Activations activations;
  double block_input = 0;         ///< elements of a token that enter the block
  double norm_input = 0;          ///< elements of a token that its norm reads
  std::int64_t kernels = 0;       ///< that the forward pass launches; 0: not known
  std::vector<Product> products;  ///< among them, scores left out
  Part part = Part::kOther;
  std::int64_t expert_parameters = 0;  ///< of all experts together, in `tensors`, or frozen
  std::int64_t experts = 0;
  std::int64_t experts_per_token = 0;
  std::int64_t frozen = 0;  ///< parameters beside `tensors` that are not trained
  bool sharded = false;     ///< its parameters are spread over the ranks (embedding tables)

  /// Of a transformer's block: what recomputation runs again.
  [[nodiscard]] bool is_block() const {
    return part == Part::kAttention || part == Part::kFeedForward;
  }

  /// Forward operations for one sample of that many tokens (0 for networks without tokens).
  [[nodiscard]] Flops forward(std::int64_t tokens) const;
  /// Those that are trained.
  [[nodiscard]] std::int64_t parameters() const;
};

}  // namespace vgsim::training
