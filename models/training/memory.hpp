#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/training/network.hpp"
#include "models/training/parallelism.hpp"
#include "sim/units.hpp"

namespace vgsim::training {

/// Bytes that training keeps of each parameter, and of each element of activations.
struct StateBytes {
  double weight = 2;  ///< in which the passes compute
  double cast = 0;    ///< the weight in the type of the passes, where autocast keeps it
  double gradient = 4;
  double bucket = 0;      ///< the gradient once more, in a bucket that is reduced
  double optimizer = 12;  ///< moments, and the weight in 32 bits where passes compute in 16
  double activation = 2;
  double norm_input = 0;     ///< beyond `activation`, of an element that a norm reads
  double score = 1;          ///< of attention, in activations
  double logit = 14;         ///< at the turn from forward to backward, with its gradient
  bool by_autocast = false;  ///< passes in 16 bits over weights in 32

  /// Passes in 16 bits over weights in 32 bits, as autocast has them: softmax and norms compute in
  /// 32 bits. Source: PyTorch, Automatic Mixed Precision package, ops that autocast to float32.
  void compute_by_autocast();
};

/// Parameters that one rank holds, unless they are sharded: those of experts, which fewer
/// data-parallel ranks have in common, apart.
struct Held {
  double shared = 0;
  double experts = 0;
  double frozen = 0;  ///< weights alone: no gradients, no optimizer states

  [[nodiscard]] double all() const { return shared + experts; }
  Held& operator+=(const Held& other);
};

/// Of a layer group.
[[nodiscard]] Held held_by_rank(const LayerGroup& layer, const Parallelism& parallelism);

/// One line of what fills a GPU's memory.
struct MemoryPart {
  std::string what;
  double bytes = 0;
  bool of_samples = false;  ///< grows with the micro-batch
};

/// What one rank of a stage keeps, at the peak of an iteration: weights, gradients and optimizer
/// states of its layers, as far as they are not sharded; activations of the micro-batches that are
/// in flight; and what a moment alone needs, at the larger of two: logits with all that the loss
/// makes of them, or gradients of activations, with a block's where they are computed again.
/// `reserve` is what framework, libraries and communicators take.
///
/// Sources: ZeRO (S. Rajbhandari et al., 2020) for states; V. Korthikanti et al., 2022, for
/// activations under tensor, sequence and pipeline parallelism and recomputation; PyTorch's pull
/// request 41954 for buckets beside gradients (1 GB of gradients takes 1 GB more); Hugging Face
/// Transformers' issue 30860 for logits in 32 bits.
///
/// `layers` are the groups of that stage, all chunks together; `stage` counts from 0.
[[nodiscard]] std::vector<MemoryPart> memory_of(const std::vector<const LayerGroup*>& layers,
                                                const Parallelism& parallelism, std::size_t stage,
                                                std::int64_t tokens, const StateBytes& state,
                                                double reserve);

[[nodiscard]] double total(const std::vector<MemoryPart>& parts);

}  // namespace vgsim::training
