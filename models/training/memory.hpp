#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/training/network.hpp"
#include "models/training/parallelism.hpp"
#include "sim/units.hpp"

namespace vgsim::training {

/// Bytes that training keeps for each parameter and for each element of activations.
struct StateBytes {
  double weight = 2;  ///< in the type that the passes compute in
  double cast = 0;    ///< a copy in the type of the passes, if autocast keeps one
  double gradient = 4;
  double bucket = 0;      ///< a second copy of the gradient, in a bucket that is reduced
  double optimizer = 12;  ///< moments, and the 32-bit weight if passes compute in 16 bits
  double activation = 2;
  double norm_input = 0;     ///< in addition to `activation`, for an element that a norm reads
  double score = 1;          ///< attention score, relative to `activation`
  double logit = 14;         ///< at the start of the backward pass, with its gradient
  bool by_autocast = false;  ///< 16-bit passes over 32-bit weights
  std::optional<double> product_input;  ///< kept input of a product, if not `activation`
  std::optional<double> frozen;         ///< a frozen weight of a block, if not `weight`
  bool fused_activation = false;        ///< activation functions keep only their inputs
  bool separate_casts = false;          ///< autocast casts an input for each product that reads it
  double step_copy = 0;                 ///< for each parameter, while the optimizer steps
  bool steps_in_backward = false;       ///< a gradient is gone when the next layer's is computed
  /// Gradients are allocated one by one as the backward pass computes them, not for good.
  bool late_gradients = false;
  bool offloads_optimizer = false;
  bool offloads_parameters = false;
  double offloaded_activations = 0;  ///< share

  /// 16-bit passes over 32-bit weights, as with autocast: softmax and norms compute in 32 bits.
  /// Source: PyTorch, Automatic Mixed Precision package, ops that autocast to float32. `fused`:
  /// kernels of norms and softmax that keep 16 bits, as those of apex.
  void compute_by_autocast(bool fused = false);
};

/// Parameters that one rank holds before sharding. Parameters of experts are separate: fewer
/// data-parallel ranks have them in common.
struct HeldParameters {
  double shared = 0;
  double experts = 0;
  double frozen = 0;  ///< weights without gradients and optimizer states

  [[nodiscard]] double all() const { return shared + experts; }
  HeldParameters& operator+=(const HeldParameters& other);
};

/// The parameters of a layer group that one rank holds.
[[nodiscard]] HeldParameters held_by_rank(const LayerGroup& layer, const Parallelism& parallelism);

/// One part of the memory use of a GPU.
struct MemoryPart {
  std::string what;
  double bytes = 0;
  bool of_samples = false;  ///< grows with the micro-batch
  bool is_cached = false;   ///< free at the peak: the allocator gives it back where memory is short
};

/// Memory use of one rank of a stage at the peak of an iteration: weights, gradients and optimizer
/// states of its layers, as far as they are not sharded; activations of the micro-batches in
/// flight; and temporary data, the larger of logits with the intermediate results of the loss, and
/// gradients of activations (with those of a recomputed block). `reserve` is the memory of
/// framework, libraries and communicators, in bytes. What an allocator caches beyond that is not
/// included: it is given back where memory is short.
///
/// Sources: ZeRO (S. Rajbhandari et al., 2020) for states; V. Korthikanti et al., 2022, for
/// activations under tensor, sequence and pipeline parallelism and recomputation; PyTorch's pull
/// request 41954 for buckets beside gradients (1 GB of gradients takes 1 GB more); Hugging Face
/// Transformers' issue 30860 for logits in 32 bits; PyTorch's documentation of Adam for the copy of
/// the parameters while it steps over lists (foreach); bitsandbytes' MatMul4Bit for weights that
/// are expanded to 16 bits, one matrix at a time.
///
/// `layers` are the groups of that stage, all chunks together; `stage` counts from 0.
[[nodiscard]] std::vector<MemoryPart> memory_of(const std::vector<const LayerGroup*>& layers,
                                                const Parallelism& parallelism, std::size_t stage,
                                                std::int64_t tokens, const StateBytes& state,
                                                double reserve);

/// All but cached parts.
[[nodiscard]] double total(const std::vector<MemoryPart>& parts);

}  // namespace vgsim::training
